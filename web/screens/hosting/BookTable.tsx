import { useIntl } from "react-intl";
import type { Book } from "#api/hosting/trade.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { formatNumber } from "#ui/figures/numbers.ts";

const levels = 5;
const sizeDigits = 5;

interface BookTableProps {
  book: Pick<Book, "bids" | "asks">;
  label: string;
  /** The side that an order took, which is highlighted. */
  taken?: "bids" | "asks" | undefined;
}

/**
 * An order book laid out as at a venue: asks above, bids below, the best of both in the middle.
 * Sizes are cut to five digits.
 */
export function BookTable({ book, label, taken }: BookTableProps) {
  const { locale } = useIntl();
  const t = useText();
  const side = (name: "asks" | "bids") => {
    const best = book[name].slice(0, levels);
    const rows = name === "asks" ? best.toReversed() : best;
    return (
      <tbody
        className={cx(
          name === "bids" && "border-t border-line-strong",
          taken !== undefined && taken !== name && "text-ink-faint",
        )}
      >
        <tr className="sr-only">
          <th colSpan={2} scope="colgroup">
            {t(`hosting.book.${name}`)}
          </th>
        </tr>
        {rows.map(([price, size]) => (
          <tr key={price}>
            <td className="py-0.5 text-left">{formatNumber(price, locale)}</td>
            <td className="py-0.5 text-right">{formatNumber(truncateSize(size), locale)}</td>
          </tr>
        ))}
      </tbody>
    );
  };
  return (
    <table className="w-full text-caption" aria-label={label}>
      <thead className="text-ink-faint">
        <tr>
          <th className="pb-0.5 text-left font-normal">{t("hosting.book.price")}</th>
          <th className="pb-0.5 text-right font-normal">{t("hosting.book.size")}</th>
        </tr>
      </thead>
      {side("asks")}
      {side("bids")}
    </table>
  );
}

function truncateSize(size: string): string {
  const point = size.indexOf(".");
  return point < 0 ? size : size.slice(0, point + 1 + sizeDigits);
}
