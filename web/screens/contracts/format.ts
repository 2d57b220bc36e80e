import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";

/** Percent from basis points, unsigned: 5 316 is "53.16 %". */
export function usePercent(): (bp: number) => string {
  const { formatNumber } = useIntl();
  return (bp) => formatNumber(bp / 10_000, { style: "percent", maximumFractionDigits: 2 });
}

/** A tier's length in one unit: "45 s", "5 min", "1 h", "1 d". */
export function useDuration(): (seconds: number) => string {
  const t = useText();
  return (seconds) => {
    const [unit, size] =
      seconds % 86_400 === 0
        ? (["days", 86_400] as const)
        : seconds % 3_600 === 0
          ? (["hours", 3_600] as const)
          : seconds % 60 === 0
            ? (["minutes", 60] as const)
            : (["seconds", 1] as const);
    return t(`contracts.duration.${unit}`, { count: seconds / size });
  };
}
