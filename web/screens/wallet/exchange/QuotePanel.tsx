import { type ReactNode, useEffect, useRef, useState } from "react";
import { useIntl } from "react-intl";
import { Link } from "react-router";
import type { ExchangeQuote, ExchangeStep } from "#api/exchange.ts";
import { exchangeCoin } from "#api/routes/exchange.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { symbols } from "#core/market/symbols.ts";
import { scaleOf } from "#core/money/coins.ts";
import { minorOf } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { ExpiryRing } from "./ExpiryRing.tsx";
import { GivenCost } from "./GivenCost.tsx";

/** A quote and when it expires by this page's own clock. */
export interface FirmQuote {
  quote: ExchangeQuote;
  untilMs: number;
}

type PanelProps = FirmQuote & { onAgain: () => void; asking: boolean; onDone: () => void };

/** A quote with all its costs, its remaining time, and the button that executes it. */
export function QuotePanel({ quote, untilMs, onAgain, asking, onDone }: PanelProps) {
  const { formatNumber } = useIntl();
  const t = useText();
  const { carryOut, busy, done, failure } = useExecution(quote);
  const [over, setOver] = useState(() => performance.now() >= untilMs);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A quote is firm for seconds only, so bring all of it into view at once.
    panel.current?.scrollIntoView({ block: "start" });
  }, []);
  const row = (id: string, value: ReactNode, hint?: string) => (
    <Row label={t(id)} hint={hint} value={value} className="min-h-12" />
  );
  const share = shareOf(quote.cost, quote.at_index, scaleOf(quote.to));
  return (
    <div ref={panel} className="flex scroll-mt-44 flex-col gap-4" aria-live="polite">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className={done ? "text-small text-ink-soft" : "sr-only"}>
            {t(done ? "exchange.got" : "exchange.youGet")}
          </p>
          <p className="text-figure font-strong tracking-tight break-words">
            <Amount value={quote.received} coin={quote.to} />
          </p>
        </div>
        {done ? null : (
          <ExpiryRing untilMs={untilMs} firmMs={quote.firm_ms} onEnd={() => setOver(true)} />
        )}
      </div>
      <div className="hairlines -mx-4 border-y border-line">
        {row("exchange.given", <Amount value={quote.given} coin={quote.from} />)}
        {row("exchange.atIndex", <Amount value={quote.at_index} coin={quote.to} />)}
        {row(
          "exchange.cost",
          <span className="font-strong">
            <GivenCost quote={quote} />
          </span>,
          t("exchange.costShare", {
            percent: formatNumber(share, { style: "percent", maximumFractionDigits: 3 }),
          }),
        )}
      </div>
      {quote.steps.map((step, at) => (
        <Step
          key={step.symbol}
          step={step}
          spreadBp={quote.spread_bp}
          title={
            quote.steps.length === 1
              ? null
              : t("exchange.step", { number: at + 1, from: step.from, to: step.to })
          }
        />
      ))}
      {quote.steps.length > 1 ? (
        <p className="text-small text-ink-soft">{t("exchange.twoSteps")}</p>
      ) : null}
      {failure ? <ErrorNote>{failure}</ErrorNote> : null}
      {done ? (
        <>
          <Link to="/wallet-record" className={buttonClass({ variant: "outline", block: true })}>
            {t("exchange.toRecords")}
          </Link>
          <Button block variant="quiet" onClick={onDone}>
            {t("exchange.another")}
          </Button>
        </>
      ) : over || failure ? (
        <>
          {over && !failure ? (
            <p className="text-small text-mind">{t("exchange.expired")}</p>
          ) : null}
          <Button block busy={asking} onClick={onAgain}>
            {t("exchange.again")}
          </Button>
        </>
      ) : (
        <div className="sticky bottom-[calc(57px+env(safe-area-inset-bottom))] -mx-4 -mt-4 border-t border-line bg-paper px-4 py-3">
          <Button block busy={busy} onClick={() => void carryOut()}>
            {t("exchange.do")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Executes the quote, once. */
function useExecution(quote: ExchangeQuote) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const sending = useApiMutation(exchangeCoin);
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const carryOut = async () => {
    setFailure(null);
    try {
      await sending.send({ quote_id: quote.quote_id });
      setDone(true);
      toast(t("exchange.done"));
      await invalidate(getWalletList);
    } catch (error) {
      setFailure(errorMessage(error));
    }
  };
  return { carryOut, busy: sending.busy, done, failure };
}

/** One exchange on one market: the rate beside the index, and what fee and spread take. */
function Step({
  step,
  spreadBp,
  title,
}: {
  step: ExchangeStep;
  spreadBp: number;
  title: string | null;
}) {
  const t = useText();
  const { base, quote, scale } = symbols[step.symbol];
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
          hint={t(step.side === "buy" ? "exchange.spreadAbove" : "exchange.spreadBelow", {
            bp: spreadBp,
          })}
          value={<Amount value={step.spread_cost} coin={step.to} />}
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
function shareOf(cost: string, whole: string, scale: number): number {
  const [part, all] = [minorOf(cost, scale), minorOf(whole, scale)];
  return all === 0n ? 0 : Number((part * 1_000_000n) / all) / 1_000_000;
}
