import { useIntl } from "react-intl";
import type { Contract } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Change } from "#ui/figures/Change.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Sparkline } from "#ui/figures/Sparkline.tsx";
import { Link } from "#ui/router.tsx";
import { usePrice } from "#web/lib/stream.ts";
import { FollowButton } from "./FollowButton.tsx";

const compact = { notation: "compact", maximumSignificantDigits: 4 } as const;

/**
 * One contract: star, symbol, on wide screens the day's volume, its last day as a line, current price
 * and change.
 */
export function MarketRow({ contract }: { contract: Contract }) {
  const { formatNumber } = useIntl();
  const t = useText();
  const pushedPrice = usePrice(contract.symbol);
  const price = pushedPrice ? pushedPrice.price : contract.price;
  return (
    <li className="flex items-center transition-colors hover:bg-leaf">
      <div className="pl-1">
        <FollowButton contract={contract} />
      </div>
      <Link
        to={`/business?contract_id=${contract.contract_id}`}
        className="flex min-h-15 min-w-0 flex-1 items-center gap-3 py-2 pr-4 focus-visible:-outline-offset-2"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate">
            <span className="font-strong">{contract.base}</span>
            <span className="text-small text-ink-faint">/{contract.quote}</span>
          </span>
          {contract.volume_24h === null ? null : (
            <span className="block truncate text-caption text-ink-faint max-wide:hidden">
              <span className="sr-only">{t("contracts.sort.volume")} </span>
              {formatNumber(Number(contract.volume_24h), compact)} {contract.base}
            </span>
          )}
        </span>
        <Sparkline values={contract.spark} width={64} height={28} toned />
        <span className="flex w-28 shrink-0 flex-col items-end">
          <PriceText value={price} scale={contract.price_scale} tint className="font-strong" />
          <Change bp={contract.change_24h_bp} className="text-small" />
        </span>
      </Link>
    </li>
  );
}
