import type { IntlShape } from "react-intl";

/** Formats `2024-01-25`, `2013-06` or `2022` for the locale, to the precision of the text. */
export function formatPartialDate(
  { formatDate }: Pick<IntlShape, "formatDate">,
  date: string,
): string {
  const [year = "", month, day] = date.split("-");
  const moment = Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  return formatDate(moment, {
    timeZone: "UTC",
    year: "numeric",
    ...(month === undefined ? {} : { month: "long" }),
    ...(day === undefined ? {} : { day: "numeric" }),
  });
}
