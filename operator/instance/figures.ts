import { useIntl } from "react-intl";

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Formats technical figures in the reader's language. */
export function useFigures() {
  const { formatNumber, formatDate, formatTime } = useIntl();
  return {
    count: (value: number) => formatNumber(value),
    /** 1 536 → "1.5 kB", in steps of 1024. */
    bytes: (value: number) => {
      const power = value < 1 ? 0 : Math.min(4, Math.floor(Math.log2(value) / 10));
      return formatNumber(value / 1024 ** power, {
        style: "unit",
        unit: units[power] as string,
        unitDisplay: "short",
        maximumFractionDigits: power < 2 ? 0 : 1,
      });
    },
    /** Milliseconds in short form: "340 ms", "2.4 s". */
    span: (ms: number) =>
      ms < 1000
        ? formatNumber(ms, { style: "unit", unit: "millisecond", unitDisplay: "short" })
        : formatNumber(ms / 1000, {
            style: "unit",
            unit: "second",
            unitDisplay: "short",
            maximumFractionDigits: 1,
          }),
    percent: (share: number) =>
      formatNumber(share, { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 }),
    time: (atMs: number) => formatTime(atMs, { timeStyle: "medium" }),
    moment: (atMs: number) => formatDate(atMs, { dateStyle: "short", timeStyle: "medium" }),
    /** World time and whole days are shown in UTC everywhere. */
    utc: (atMs: number) =>
      formatDate(atMs, { dateStyle: "short", timeStyle: "medium", timeZone: "UTC" }),
    day: (atMs: number) => formatDate(atMs, { month: "short", day: "numeric", timeZone: "UTC" }),
    hour: (atMs: number) => formatTime(atMs, { hour: "2-digit", minute: "2-digit" }),
    dayHour: (atMs: number) => formatDate(atMs, { dateStyle: "short", timeStyle: "short" }),
    utcHour: (atMs: number) =>
      formatTime(atMs, { hour: "2-digit", minute: "2-digit", timeZone: "UTC" }),
  };
}
