import { Suspense, useState } from "react";
import type { Trade } from "#api/hosting/trade.ts";
import { getTrades } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { useFormatWorldTime } from "../figures.tsx";
import { refetchMs } from "../useHostingUpdates.ts";

const TradeSheet = deferredComponent(() => import("./TradeSheet.tsx"));

interface TradesProps {
  productId: string;
  /** Shows only this many of the newest, without paging. */
  last?: number;
}

/** Every paper trade of a pool, newest first; each opens with its books. */
export function Trades({ productId, last }: TradesProps) {
  const t = useText();
  const [openedId, setOpenedId] = useState<string | null>(null);
  const list = useApiPages(
    getTrades,
    { product_id: productId, page_size: last ?? 10 },
    { refetchMs },
  );
  return (
    <Section
      title={t(last ? "hosting.trades.last" : "hosting.trades.all")}
      note={last ? undefined : t("hosting.trades.note")}
    >
      <PagedList
        list={last ? { ...list, hasMore: false } : list}
        keyOf={(trade) => trade.trade_id}
        className="hairlines"
        loading={<SkeletonRows count={3} />}
        empty={<p className="px-4 py-6 text-small text-ink-soft">{t("hosting.trades.none")}</p>}
      >
        {(trade) => <TradeRow trade={trade} onOpen={() => setOpenedId(trade.trade_id)} />}
      </PagedList>
      {openedId ? (
        <Suspense fallback={null}>
          <TradeSheet tradeId={openedId} onClose={() => setOpenedId(null)} />
        </Suspense>
      ) : null}
    </Section>
  );
}

function TradeRow({ trade, onOpen }: { trade: Trade; onOpen: () => void }) {
  const t = useText();
  const formatWorldTime = useFormatWorldTime();
  return (
    <Row
      label={`${trade.number} · ${t(`hosting.purpose.${trade.purpose}`)}`}
      hint={`${formatWorldTime(trade.decided_at_ms)} · ${t(`hosting.trade.${trade.state}`)}`}
      value={
        trade.net === null ? (
          "—"
        ) : (
          <Amount
            short="worth"
            value={trade.net}
            coin="pUSDT"
            signed
            toned
            className="text-small"
          />
        )
      }
      valueHint={
        trade.at_venue
          ? t("hosting.trade.venue.row", {
              net: (
                <Amount
                  key="net"
                  short="worth"
                  value={trade.at_venue.net}
                  coin="pUSDT"
                  signed
                  bare
                />
              ),
            })
          : undefined
      }
      onClick={onOpen}
    />
  );
}
