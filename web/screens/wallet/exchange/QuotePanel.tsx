import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { ExchangeQuote, ExchangeStep } from "#api/exchange.ts";
import { symbols } from "#core/market/symbols.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Row } from "#ui/Row.tsx";
import { computeCostInGiven } from "./costInGiven.ts";
import { ExpiryRing } from "./ExpiryRing.tsx";

interface PanelProps {
  quote: ExchangeQuote;
  /** When it renews by this page's own clock; null once it was executed. */
  untilMs: number | null;
}

/**
 * A quote is firm for seconds only, so all of it scrolls into view immediately; then what it
 * yielded.
 */
const showFromStart = (panel: HTMLElement | null) => panel?.scrollIntoView({ block: "start" });

/** A quote with all its costs and its remaining time, or what an executed one brought. */
export function QuotePanel({ quote, untilMs }: PanelProps) {
  const { formatNumber } = useIntl();
  const t = useText();
  const row = (id: string, value: ReactNode, hint?: ReactNode) => (
    <Row label={t(id)} hint={hint} value={value} className="min-h-12" />
  );
  const share = getShare(quote.cost, quote.at_index, coinScale(quote.to));
  const percent = formatNumber(share, percentStyle);
  return (
    <div
      key={untilMs === null ? "done" : "open"}
      ref={showFromStart}
      className="flex scroll-mt-44 flex-col gap-4"
    >
      {untilMs === null ? (
        <output className="flex items-center gap-2 font-strong">
          <IconCheck size={20} aria-hidden="true" />
          {t("exchange.done")}
        </output>
      ) : null}
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className={untilMs === null ? "text-small text-ink-soft" : "sr-only"}>
            {t(untilMs === null ? "exchange.got" : "exchange.youGet")}
          </p>
          <p className="text-figure font-strong tracking-tight break-words">
            <Amount value={quote.received} coin={quote.to} />
          </p>
          {untilMs === null ? null : (
            <p className="text-small text-ink-faint">{t("exchange.renews")}</p>
          )}
        </div>
        {untilMs === null ? null : <ExpiryRing untilMs={untilMs} firmMs={quote.firm_ms} />}
      </div>
      <div className="hairlines -mx-4 border-y border-line">
        {row(
          untilMs === null ? "exchange.gave" : "exchange.given",
          <Amount value={quote.given} coin={quote.from} />,
        )}
        {row("exchange.atIndex", <Amount value={quote.at_index} coin={quote.to} />)}
        {row(
          "exchange.cost",
          <span className="font-strong">
            <Amount short="cost" value={computeCostInGiven(quote)} coin={quote.from} />
          </span>,
          <>
            {t("exchange.costShare", { percent })} · <Amount value={quote.cost} coin={quote.to} />
          </>,
        )}
      </div>
      {quote.steps.map((step, index) => (
        <Step
          key={step.symbol}
          step={step}
          quote={quote}
          share={formatNumber(quote.spread_bp / 10_000, percentStyle)}
          title={
            quote.steps.length === 1
              ? null
              : t("exchange.step", { number: index + 1, from: step.from, to: step.to })
          }
        />
      ))}
      {quote.steps.length > 1 ? (
        <p className="text-small text-ink-soft">{t("exchange.twoSteps")}</p>
      ) : null}
    </div>
  );
}

const percentStyle = { style: "percent", maximumFractionDigits: 3 } as const;

/**
 * One exchange on one market: the rate beside the index, and what fee and spread take, both in the
 * coin that is given where one step is all there is.
 */
function Step({
  step,
  quote: total,
  share,
  title,
}: {
  step: ExchangeStep;
  quote: ExchangeQuote;
  /** The spread, as a percentage of the index. */
  share: string;
  title: string | null;
}) {
  const t = useText();
  const { base, quote, scale } = symbols[step.symbol];
  const spread = <Amount value={step.spread_cost} coin={step.to} />;
  const rule = t(step.side === "buy" ? "exchange.spreadAbove" : "exchange.spreadBelow", { share });
  const inGiven = total.steps.length === 1;
  return (
    <section>
      {title ? <h2 className="pb-2 text-small font-strong">{title}</h2> : null}
      <div className="hairlines -mx-4 border-y border-line">
        <Row
          label={t("exchange.rate", { base, quote })}
          hint={
            <>
              {t("exchange.index")} <PriceText value={step.index} scale={scale} />
            </>
          }
          value={<PriceText value={step.rate} scale={scale} className="font-strong" />}
        />
        <Row
          label={t("exchange.spread")}
          hint={
            inGiven ? (
              <>
                {rule} {spread}
              </>
            ) : (
              rule
            )
          }
          value={
            inGiven ? (
              <Amount
                short="cost"
                value={computeCostInGiven({ ...total, cost: step.spread_cost })}
                coin={total.from}
              />
            ) : (
              spread
            )
          }
        />
        <Row
          label={t("exchange.fee")}
          hint={
            <>
              {t("exchange.feeWorth")} <Amount value={step.fee_cost} coin={step.to} />
            </>
          }
          value={<Amount value={step.fee} coin={step.from} />}
        />
      </div>
    </section>
  );
}

/** Cost as a share of the whole, for a percentage: the only float here, and never money. */
function getShare(cost: string, total: string, scale: number): number {
  const [part, totalUnits] = [toMinorUnits(cost, scale), toMinorUnits(total, scale)];
  return totalUnits === 0n ? 0 : Number((part * 1_000_000n) / totalUnits) / 1_000_000;
}
