import type { Contract } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { Change } from "#ui/figures/Change.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";

/**
 * The current price, its change over a day, and the day's low and high; `inLine` where there is
 * more width than height.
 */
export function PriceHeader({ contract, inLine }: { contract: Contract; inLine?: boolean }) {
  const t = useText();
  const end = (id: string, value: string | null) => (
    <div className="flex justify-end gap-2 whitespace-nowrap">
      <dt className="text-ink-faint">{t(id)}</dt>
      <dd>
        <PriceText value={value} scale={contract.price_scale} />
      </dd>
    </div>
  );
  return (
    <div className="px-4 pb-1">
      <div className={cx("flex justify-between gap-3", inLine ? "items-baseline" : "items-end")}>
        <div className={inLine ? "flex min-w-0 flex-wrap items-baseline gap-x-3" : "min-w-0"}>
          <p>
            <PriceText
              value={contract.price}
              scale={contract.price_scale}
              tint
              className={cx("font-strong tracking-tight", inLine ? "text-title" : "text-figure")}
            />
          </p>
          <Change bp={contract.change_24h_bp} className="text-small" />
        </div>
        <dl className={cx("text-right text-caption", inLine ? "flex gap-4" : "pb-0.5")}>
          {end("contracts.header.high", contract.high_24h)}
          {end("contracts.header.low", contract.low_24h)}
        </dl>
      </div>
      {contract.price === null ? (
        <p className="mt-1 text-small text-warning">{t("contracts.gap")}</p>
      ) : null}
    </div>
  );
}
