import type { Contract } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Change } from "#ui/figures/Change.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";

/** The current price, its change over a day, and the day's low and high. */
export function PriceHeader({ contract }: { contract: Contract }) {
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
      <div className="flex items-end justify-between gap-3">
        <div className="min-w-0">
          <p>
            <PriceText
              value={contract.price}
              scale={contract.price_scale}
              tint
              className="text-figure font-strong tracking-tight"
            />
          </p>
          <Change bp={contract.change_24h_bp} className="text-small" />
        </div>
        <dl className="pb-0.5 text-right text-caption">
          {end("contracts.header.high", contract.high_24h)}
          {end("contracts.header.low", contract.low_24h)}
        </dl>
      </div>
      {contract.price === null ? (
        <p className="mt-1 text-small text-mind">{t("contracts.gap")}</p>
      ) : null}
    </div>
  );
}
