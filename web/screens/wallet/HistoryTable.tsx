import { useIntl } from "react-intl";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { countColumnDigits } from "./days.ts";

/** The same points as a table, newest first, with every digit. */
export function HistoryTable({
  points,
  display,
  heading,
}: {
  points: readonly (readonly [number, string | null])[];
  display: Coin;
  /** The heading of the column of amounts; a total if omitted. */
  heading?: string;
}) {
  const { formatDate } = useIntl();
  const t = useText();
  const digits = countColumnDigits(points.map(([, total]) => total ?? "0"));
  return (
    <section aria-label={t("wallet.history.title")} className="border-y border-line">
      <table className="w-full text-small">
        <thead className="text-left text-ink-faint">
          <tr>
            <th scope="col" className="py-2 pr-3 font-normal">
              {t("wallet.history.time")}
            </th>
            <th scope="col" className="py-2 text-right font-normal">
              {heading ?? t("wallet.total")}
            </th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(([ms, total]) => (
            <tr key={ms} className="border-t border-line">
              <td className="py-2 pr-3 text-ink-soft">
                {formatDate(ms, { dateStyle: "medium", timeStyle: "short" })}
              </td>
              <td className="py-2 text-right">
                {total === null ? (
                  t("wallet.unpriced")
                ) : (
                  <Amount value={total} coin={display} alignDigits={digits} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
