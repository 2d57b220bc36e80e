import type { Contract } from "#api/contracts.ts";
import { getContractList } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Change } from "#ui/figures/Change.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Sparkline } from "#ui/figures/Sparkline.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { usePrice } from "#web/lib/stream.ts";

const shownMax = 6;
const refetchMs = 60_000;

/** Current prices: the index of each second as pushed, with the last 24 hours as a line. */
export function Prices() {
  const t = useText();
  return (
    <Section
      title={t("home.prices.title")}
      action={
        <Link
          to="/business"
          className="-mr-2 inline-flex min-h-11 items-center rounded-dock px-2 text-small text-signal-ink hover:underline"
        >
          {t("home.prices.all")}
        </Link>
      }
    >
      <PriceRows />
    </Section>
  );
}

function PriceRows() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const list = useApiQuery(getContractList, { type: "all" }, { refetchMs });
  if (list.data) {
    const pricedItems = list.data.items.filter(({ quote }) => quote === "USDT").slice(0, shownMax);
    if (pricedItems.length > 0)
      return pricedItems.map((item) => <PriceRow key={item.contract_id} item={item} />);
    return <Empty drawing={<EmptyDockDrawing />} title={t("home.prices.none")} />;
  }
  if (list.error) {
    return (
      <div className="p-4">
        <ErrorNote busy={list.isFetching} onRetry={() => void list.refetch()}>
          {errorMessage(list.error)}
        </ErrorNote>
      </div>
    );
  }
  return <SkeletonRows count={shownMax} tall />;
}

function PriceRow({ item }: { item: Contract }) {
  const pushedPrice = usePrice(item.symbol);
  return (
    <Link
      to={`/business?contract_id=${item.contract_id}`}
      className="flex min-h-15 items-center gap-3 px-4 transition-colors hover:bg-leaf active:bg-well focus-visible:-outline-offset-2"
    >
      <span className="min-w-0 flex-1">
        <span className="font-strong">{item.base}</span>
        <span className="text-small text-ink-faint">/{item.quote}</span>
      </span>
      <Sparkline values={item.spark} width={84} height={30} className="wide:hidden" />
      <Sparkline values={item.spark} width={200} height={34} filled className="hidden wide:block" />
      <span className="flex min-w-28 flex-col items-end">
        <PriceText
          value={pushedPrice ? pushedPrice.price : item.price}
          scale={item.price_scale}
          tint
          className="font-strong"
        />
        <Change bp={item.change_24h_bp} className="text-small" />
      </span>
    </Link>
  );
}
