import { useIntl } from "react-intl";
import type { NavPoint } from "#api/hosting/pool.ts";
import { useText } from "#i18n/useText.ts";
import { Figure, usePercentText } from "../figures.tsx";

const rows = 12;

/** The chart as figures, for those who cannot see it: evenly spaced points, newest first. */
export function NavTable({ points }: { points: readonly NavPoint[] }) {
  const { formatDate } = useIntl();
  const t = useText();
  const percent = usePercentText();
  const step = Math.max(1, Math.ceil(points.length / rows));
  const shownRows = points.toReversed().filter((_, index) => index % step === 0);
  return (
    <details>
      <summary className="flex min-h-11 items-center text-small text-signal-ink">
        {t("hosting.chart.table")}
      </summary>
      <table className="w-full text-caption">
        <thead className="text-left text-ink-faint">
          <tr>
            <th className="py-1 pr-2 font-normal">{t("hosting.time")}</th>
            <th className="px-1 text-right font-normal">{t("hosting.nav.short")}</th>
            <th className="px-1 text-right font-normal">{t("hosting.hold_line")}</th>
            <th className="pl-1 text-right font-normal">{t("hosting.drawdown.short")}</th>
          </tr>
        </thead>
        <tbody className="hairlines">
          {shownRows.map(([ms, nav, hold, , , drawdown]) => (
            <tr key={ms} className="text-right">
              <td className="py-1.5 pr-2 text-left">
                {formatDate(ms, {
                  month: "numeric",
                  day: "numeric",
                  hour: "2-digit",
                  minute: "2-digit",
                })}
              </td>
              <td className="px-1">
                <Figure value={nav} />
              </td>
              <td className="px-1">
                <Figure value={hold} />
              </td>
              <td className="pl-1">{percent(drawdown)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
