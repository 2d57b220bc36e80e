import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Fold } from "#ui/Fold.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import type { Results } from "./csv.ts";
import { buildHeatCells } from "./heat.ts";

const size = 13;
const left = 26;
const top = 14;
const weekdays = [0, 1, 2, 3, 4, 5, 6];
/** A Monday. */
const mondayMs = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

/** Results by weekday and hour, as a picture, and as a table that says the same. */
export function HoursHeat({ hours }: { hours: Results["orders"]["hours"] }) {
  const t = useText();
  const { formatDate } = useIntl();
  const day = (weekday: number, style: "short" | "long") =>
    formatDate(mondayMs + weekday * dayMs, { weekday: style, timeZone: "UTC" });
  const clock = (hour: number) =>
    formatDate(mondayMs + hour * 3_600_000, {
      hour: "numeric",
      minute: "2-digit",
      timeZone: "UTC",
    });
  return (
    <>
      <svg
        viewBox={`0 0 ${left + 24 * size} ${top + 7 * size}`}
        className="w-full max-w-120"
        aria-hidden="true"
      >
        {[0, 6, 12, 18].map((hour) => (
          <text key={hour} x={left + hour * size} y={9} fontSize={8} className="fill-ink-faint">
            {clock(hour)}
          </text>
        ))}
        {weekdays.map((weekday) => (
          <text
            key={weekday}
            x={0}
            y={top + weekday * size + 9}
            fontSize={8}
            className="fill-ink-faint"
          >
            {day(weekday, "short")}
          </text>
        ))}
        <g transform={`translate(${left} ${top})`}>
          {weekdays.flatMap((weekday) =>
            Array.from({ length: 24 }, (_, hour) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
                key={`${weekday} ${hour}`}
                x={hour * size}
                y={weekday * size}
                width={size - 1.5}
                height={size - 1.5}
                className="fill-well"
              />
            )),
          )}
          {buildHeatCells(hours, size).map(({ x, y, tone, strength }) => (
            <rect
              key={`${x} ${y}`}
              x={x}
              y={y}
              width={size - 1.5}
              height={size - 1.5}
              fill="currentColor"
              className={
                tone === "rise" ? "text-rise" : tone === "fall" ? "text-fall" : "text-ink-faint"
              }
              opacity={strength}
            />
          ))}
        </g>
      </svg>
      <Fold label={<span className="text-small">{t("performance.hours.table")}</span>}>
        <table className="w-full text-small">
          <caption className="sr-only">{t("performance.hours")}</caption>
          <thead className="text-left text-caption text-ink-faint">
            <tr>
              <th scope="col" className="py-1 font-normal">
                {t("performance.hour")}
              </th>
              <th scope="col" className="py-1 text-right font-normal">
                {t("performance.right")}
              </th>
              <th scope="col" className="py-1 text-right font-normal">
                {t("performance.net")}
              </th>
            </tr>
          </thead>
          <tbody className="hairlines">
            {hours.map(({ weekday, hour, won, decided, net }) => (
              <tr key={`${weekday} ${hour}`}>
                <th scope="row" className="py-1 text-left font-normal">
                  {day(weekday, "long")}, {clock(hour)}
                </th>
                <td className="py-1 text-right">{t("performance.hour.of", { won, decided })}</td>
                <td className="py-1 text-right">
                  <Amount value={net} coin="pUSDT" signed toned bare />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Fold>
    </>
  );
}
