import { lazy, Suspense, useState } from "react";
import { useIntl } from "react-intl";
import type { Trade } from "#api/hosting.ts";
import { getTrades } from "#api/routes/hosting.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { useWhen } from "../figures.tsx";
import { Pager, usePlace } from "../Pager.tsx";
import { againMs } from "../useHostingUpdates.ts";

const TradeSheet = lazy(() => import("./TradeSheet.tsx"));

interface TradesProps {
  productId: string;
  /** Only the newest so many, without paging. */
  last?: number;
}

/** Every paper trade of a pool, newest first; each opens with its books. */
export function Trades({ productId, last }: TradesProps) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const [place, setPlace] = usePlace();
  const [opened, setOpened] = useState<string | null>(null);
  const list = useCall(
    getTrades,
    { product_id: productId, page_size: last ?? 10, ...place },
    { refetchMs: againMs, keepPrevious: true },
  );
  const say = (id: string) => formatMessage({ id });
  const items = list.data?.items;
  return (
    <Section
      title={say(last ? "hosting.trades.last" : "hosting.trades.all")}
      note={last ? undefined : say("hosting.trades.note")}
    >
      {list.isError && !items ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void list.refetch()}>{sentence(list.error)}</ErrorNote>
        </div>
      ) : !items ? (
        <SkeletonRows count={3} />
      ) : items.length === 0 ? (
        <p className="px-4 py-6 text-small text-ink-soft">{say("hosting.trades.none")}</p>
      ) : (
        items.map((trade) => (
          <TradeRow key={trade.trade_id} trade={trade} onOpen={() => setOpened(trade.trade_id)} />
        ))
      )}
      {list.data && !last ? <Pager place={place} list={list.data} onGo={setPlace} /> : null}
      {opened ? (
        <Suspense fallback={null}>
          <TradeSheet tradeId={opened} onClose={() => setOpened(null)} />
        </Suspense>
      ) : null}
    </Section>
  );
}

function TradeRow({ trade, onOpen }: { trade: Trade; onOpen: () => void }) {
  const { formatMessage } = useIntl();
  const when = useWhen();
  const say = (id: string) => formatMessage({ id });
  return (
    <Row
      label={`${trade.number} · ${say(`hosting.purpose.${trade.purpose}`)}`}
      hint={`${when(trade.decided_at_ms)} · ${say(`hosting.trade.${trade.state}`)}`}
      value={
        trade.net === null ? (
          "—"
        ) : (
          <Amount value={trade.net} coin="pUSDT" signed toned className="text-small" />
        )
      }
      onClick={onOpen}
    />
  );
}
