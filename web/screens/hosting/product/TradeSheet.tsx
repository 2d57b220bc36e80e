import { useEffect } from "react";
import type { Trade } from "#api/hosting/trade.ts";
import { getTrade } from "#api/routes/hosting.ts";
import type { FillCosts as FillCostsOnWire } from "#api/shapes.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { reportTask } from "#web/features/classes/reportTask.ts";
import { FillCosts } from "#web/features/fill-costs/FillCosts.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useBpText, useFormatWorldTime } from "../figures.tsx";
import { Leg } from "./Leg.tsx";

/**
 * One paper trade: what it should have made, what latency and depth took, the fees, and each leg
 * with its two books.
 */
export default function TradeSheet({ tradeId, onClose }: { tradeId: string; onClose: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const call = useApiQuery(getTrade, { trade_id: tradeId });
  const tradeAnswer = call.data;
  const isLoss = tradeAnswer?.trade.net?.startsWith("-") ?? false;
  useEffect(() => {
    if (isLoss) reportTask("pool");
  }, [isLoss]);
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t("hosting.trade.title", { number: tradeAnswer ? tradeAnswer.trade.number : "" })}
      actions={
        tradeAnswer && tradeAnswer.trade.net !== null ? (
          <Link
            to={`/verify?trade_id=${tradeId}`}
            className={buttonClass({ variant: "outline", block: true })}
          >
            {t("hosting.check")}
          </Link>
        ) : undefined
      }
    >
      {call.isError ? (
        <ErrorNote onRetry={() => void call.refetch()}>{errorMessage(call.error)}</ErrorNote>
      ) : !tradeAnswer ? (
        <SkeletonRows count={6} />
      ) : (
        <>
          <Sums trade={tradeAnswer.trade} costs={tradeAnswer.costs} />
          {tradeAnswer.trade.at_venue ? <AtVenues cost={tradeAnswer.trade.at_venue} /> : null}
          {tradeAnswer.trade.legs.map((leg, index) => (
            <Leg
              key={`${leg.venue} ${leg.symbol}`}
              leg={leg}
              number={index + 1}
              decision={tradeAnswer.decision_books[index] ?? null}
              fill={tradeAnswer.fill_books[index] ?? null}
            />
          ))}
        </>
      )}
    </Sheet>
  );
}

/** On a live market: the same legs with the venues' own fees, and what slippage consists of. */
function AtVenues({ cost }: { cost: NonNullable<Trade["at_venue"]> }) {
  const t = useText();
  const amount = (value: string) => <Amount value={value} coin="pUSDT" />;
  return (
    <section className="pt-6">
      <h3 className="pb-2 font-strong">{t("hosting.trade.venue.title")}</h3>
      <div className="hairlines -mx-4 border-y border-line">
        <Row label={t("hosting.trade.venue.spread")} value={amount(cost.spread)} />
        <Row label={t("hosting.trade.venue.delay")} value={amount(cost.delay)} />
        <Row label={t("hosting.trade.venue.fees")} value={amount(cost.fees)} />
        <Row
          label={<span className="font-strong">{t("hosting.trade.venue.net")}</span>}
          value={
            <span className="font-strong">
              <Amount value={cost.net} coin="pUSDT" signed toned />
            </span>
          }
        />
      </div>
      <p className="pt-2 text-small text-ink-soft">
        {t("hosting.trade.venue.note", { source: cost.fee_source })}
      </p>
    </section>
  );
}

function Sums({ trade, costs }: { trade: Trade; costs: FillCostsOnWire | null }) {
  const t = useText();
  const bpText = useBpText();
  const formatWorldTime = useFormatWorldTime();
  return (
    <>
      <p className="pb-3 text-small text-ink-soft">{t(`hosting.purpose.${trade.purpose}.text`)}</p>
      <div className="hairlines -mx-4 border-y border-line">
        <Row label={t("hosting.trade.decided")} value={formatWorldTime(trade.decided_at_ms)} />
        <Row
          label={t("hosting.trade.filled_at")}
          value={trade.filled_at_ms === null ? "—" : formatWorldTime(trade.filled_at_ms)}
          valueHint={t(`hosting.trade.${trade.state}`)}
        />
        {trade.seen_bp === null ? null : (
          <Row label={t("hosting.trade.seen")} value={bpText(trade.seen_bp)} />
        )}
        <Row
          label={<span className="font-strong">{t("hosting.trade.net")}</span>}
          value={
            <span className="font-strong">
              {trade.net === null ? "—" : <Amount value={trade.net} coin="pUSDT" signed toned />}
            </span>
          }
        />
      </div>
      {costs && trade.gross !== null && trade.net !== null ? (
        <div className="-mx-4">
          <FillCosts of="trade" coin="pUSDT" from={trade.gross} to={trade.net} costs={costs} />
        </div>
      ) : null}
    </>
  );
}
