import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import {
  getNextSort,
  type MarketSort,
  parseSort,
  type SortColumn,
  sortColumns,
} from "./sortMarkets.ts";

/** The heads of the market list; pressed, they sort it. The day's volume only where it is shown. */
export function SortBar({
  sort,
  onChange,
}: {
  sort: MarketSort;
  onChange: (next: MarketSort) => void;
}) {
  const t = useText();
  return (
    <fieldset
      aria-label={t("contracts.sort")}
      className="flex min-w-0 justify-end gap-1 border-b border-line px-2 text-caption"
    >
      {sortColumns.map((column) => (
        <SortButton key={column} column={column} sort={sort} onChange={onChange} />
      ))}
    </fieldset>
  );
}

function SortButton({
  column,
  sort,
  onChange,
}: {
  column: SortColumn;
  sort: MarketSort;
  onChange: (next: MarketSort) => void;
}) {
  const t = useText();
  const current = sort === "listed" ? null : parseSort(sort);
  const isCurrent = current?.column === column;
  const Arrow = current?.isDown ? IconArrowDown : IconArrowUp;
  return (
    <button
      type="button"
      aria-pressed={isCurrent}
      onClick={() => onChange(getNextSort(sort, column))}
      className={cx(
        "inline-flex min-h-11 items-center gap-1 rounded-dock px-2 transition-colors hover:bg-leaf active:bg-well",
        column === "name" && "max-wide:mr-auto",
        column === "volume" && "mr-auto max-wide:hidden",
        isCurrent ? "font-strong text-ink" : "text-signal-ink",
      )}
    >
      {t(`contracts.sort.${column}`)}
      {isCurrent ? (
        <>
          <Arrow size={14} aria-hidden="true" />
          <span className="sr-only">
            {t(current.isDown ? "contracts.sort.down" : "contracts.sort.up")}
          </span>
        </>
      ) : null}
    </button>
  );
}
