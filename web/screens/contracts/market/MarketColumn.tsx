import type { Contract } from "#api/contracts.ts";
import { getContractList } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { Change } from "#ui/figures/Change.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Link } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { usePrice } from "#web/lib/stream.ts";

const refreshMs = 60_000;

/** All markets beside the chart of one, on screens with room for them. */
export default function MarketColumn({ current }: { current: string }) {
  const t = useText();
  const list = useApiQuery(getContractList, { type: "all" }, { refetchMs: refreshMs });
  if (!list.data) return <SkeletonRows count={11} />;
  return (
    <nav aria-label={t("contracts.title")}>
      <ul className="hairlines border-b border-line">
        {list.data.items.map((contract) => (
          <MarketLink
            key={contract.contract_id}
            contract={contract}
            isCurrent={contract.contract_id === current}
          />
        ))}
      </ul>
    </nav>
  );
}

function MarketLink({ contract, isCurrent }: { contract: Contract; isCurrent: boolean }) {
  const pushedPrice = usePrice(contract.symbol);
  const price = pushedPrice ? pushedPrice.price : contract.price;
  return (
    <li>
      <Link
        to={`/business?contract_id=${contract.contract_id}`}
        aria-current={isCurrent ? "page" : undefined}
        className={cx(
          "flex min-h-14 items-center justify-between gap-2 px-4 text-small transition-colors hover:bg-leaf focus-visible:-outline-offset-2",
          isCurrent && "bg-leaf font-strong",
        )}
      >
        {contract.symbol}
        <span className="flex flex-col items-end font-normal">
          <PriceText value={price} scale={contract.price_scale} tint />
          <Change bp={contract.change_24h_bp} className="text-caption" />
        </span>
      </Link>
    </li>
  );
}
