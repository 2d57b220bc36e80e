import { IconArrowsUpDown } from "@tabler/icons-react";
import { useState } from "react";
import type { ExchangeQuote } from "#api/exchange.ts";
import { exchangeCoin } from "#api/routes/exchange.ts";
import { getRecordList } from "#api/routes/records.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { type Coin, coinCodes, isCoin } from "#core/money/coins.ts";
import { displayCurrency } from "#core/wallet/valuation.ts";
import { useText } from "#i18n/useText.ts";
import { ActionBar } from "#ui/ActionBar.tsx";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { settleAmountText } from "#ui/form/amountText.ts";
import { Segmented } from "#ui/form/Segmented.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { AtVenues } from "#web/features/exchange/AtVenues.tsx";
import { ExchangeCosts } from "#web/features/fill-costs/ExchangeCosts.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { usePrices } from "#web/lib/stream.ts";
import { useChoice } from "#web/lib/useChoice.ts";
import { findAmountError } from "../findAmountError.ts";
import { findIndex } from "../liveWorth.ts";
import { EnteredAmount, type Side, sides } from "./EnteredAmount.tsx";
import { findGivenFor } from "./givenFor.ts";
import { PastExchanges } from "./PastExchanges.tsx";
import { QuotePanel } from "./QuotePanel.tsx";
import { pressConfirm } from "./quoteState.ts";
import { useQuote } from "./useQuote.ts";

/**
 * Exchanges one coin for another: an amount to give or to receive, a firm quote with all its costs
 * that renews itself while it is on screen, and one button that never goes away.
 */
export default function ExchangeView({ coin: from }: { coin: Coin }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [query, setQuery] = useSearchParams();
  const to = chooseDefaultTarget(from, query.get("to") ?? "");
  const [text, setText] = useState(query.get("amount") ?? "");
  const [side, setSide] = useChoice("side", sides, "give");
  const available = useAvailable(from);
  const received = side === "get" ? settleAmountText(text) : null;
  const estimate = useEstimate(from, to, received);
  const [result, setResult] = useState<ExecutedExchange | null>(null);
  const [isSending, setIsSending] = useState(false);
  const quote = useQuote(from, to, isSending || result !== null);
  const execute = useExecution();
  const shownQuote = result?.quote ?? quote.state?.quote ?? null;
  const amountToGive = side === "get" ? (estimate ?? "") : text;
  const isTooMuch = !shownQuote && findAmountError(amountToGive, from, available) === "tooMuch";
  const drop = () => {
    quote.drop();
    setResult(null);
  };
  const changeQuery = (coin: Coin, target: Coin, amount: string) => {
    drop();
    const next = new URLSearchParams(query);
    next.set("coin", coin);
    next.set("to", target);
    next.set("amount", amount);
    // After a swap the amount is what is given.
    if (coin !== from) next.delete("side");
    setQuery(next, { replace: true });
  };
  const change = (amount: string) => {
    drop();
    setText(amount);
  };
  const chooseTarget = (next: Coin) => {
    // The typed amount to receive was one of the other coin.
    const amount = side === "get" ? "" : text;
    changeQuery(from, next, amount);
    setText(amount);
  };
  const changeSide = (next: Side) => {
    change((next === "get" ? quote.state?.quote.received : quote.state?.quote.given) ?? "");
    setSide(next);
  };
  const ask = async () => {
    if (received === null) return quote.ask({ given: settleAmountText(text), received });
    if (estimate === null && /[1-9]/.test(received))
      return quote.setFailure(t("exchange.noEstimate"));
    return quote.ask({ given: estimate ?? "", received });
  };
  /** The executed quote: the one pressed, or after its refusal one that yields no less. */
  const executeOrBetter = async (
    confirmedQuote: ExchangeQuote,
  ): Promise<ExecutedExchange | null> => {
    try {
      return { quote: confirmedQuote, journalId: await execute(confirmedQuote) };
    } catch (error) {
      const nextQuote = await quote.refused(error);
      if (nextQuote === false) throw error;
      if (nextQuote === true) return null;
      return { quote: nextQuote.quote, journalId: await execute(nextQuote.quote) };
    }
  };
  const press = async () => {
    if (result) return change("");
    if (!quote.state) return ask();
    const { exchange, state } = pressConfirm(quote.state, performance.now());
    quote.setState(state);
    if (!exchange) return;
    setIsSending(true);
    quote.setFailure(null);
    try {
      setResult(await executeOrBetter(state.quote));
    } catch (error) {
      quote.setFailure(errorMessage(error));
    } finally {
      setIsSending(false);
    }
  };
  const previousAmount = <Amount key="was" value={quote.state?.worseQuote?.was ?? "0"} coin={to} />;
  const now = <Amount key="now" value={quote.state?.quote.received ?? "0"} coin={to} />;
  return (
    <>
      <div className="flex flex-col gap-5 px-4 pb-6">
        <EnteredAmount
          side={side}
          onSide={changeSide}
          from={from}
          to={to}
          value={text}
          onChange={change}
          available={available}
          estimate={shownQuote ? null : estimate}
          isMissing={quote.problem}
          isTooMuch={isTooMuch}
        />
        <div className="flex items-center gap-3">
          <div className="h-px flex-1 bg-line" />
          <IconButton
            label={t("exchange.swap")}
            onClick={() => changeQuery(to, from, quote.state ? quote.state.quote.received : "")}
          >
            <IconArrowsUpDown size={20} aria-hidden="true" />
          </IconButton>
          <div className="h-px flex-1 bg-line" />
        </div>
        <div className="flex flex-col gap-1.5">
          <span className="text-small font-strong">{t("exchange.get")}</span>
          <Segmented
            label={t("exchange.get")}
            value={to}
            onChange={chooseTarget}
            options={listOtherCoins(from).map((code) => ({ value: code, label: code }))}
          />
        </div>
        {shownQuote ? (
          <QuotePanel quote={shownQuote} untilMs={result ? null : (quote.state?.untilMs ?? null)} />
        ) : (
          <p className="text-small text-ink-soft">{t("exchange.before")}</p>
        )}
        {result ? (
          <div className="-mx-4">
            <ExchangeCosts journalId={result.journalId} />
          </div>
        ) : null}
      </div>
      <ActionBar>
        <div aria-live="polite" className="not-empty:pb-2">
          {quote.failure ? <ErrorNote>{quote.failure}</ErrorNote> : null}
          {quote.state?.worseQuote && !result ? (
            <p className="text-small text-warning">
              {t(quote.state.worseQuote.wasRefused ? "exchange.moved.refused" : "exchange.moved", {
                was: previousAmount,
                now,
              })}
            </p>
          ) : null}
        </div>
        <Button
          block
          variant={result ? "outline" : "primary"}
          busy={(quote.isBusy && !quote.state) || isSending}
          disabled={isTooMuch}
          onClick={() => void press()}
        >
          {t(result ? "exchange.another" : quote.state ? "exchange.do" : "exchange.quote")}
        </Button>
      </ActionBar>
      {result ? <AtVenues journalId={result.journalId} /> : null}
      <PastExchanges />
    </>
  );
}

const listOtherCoins = (from: Coin) => coinCodes.filter((code) => code !== from);

/** The coin that the address names, if it can be received for `from`; else a usual one. */
function chooseDefaultTarget(from: Coin, param: string): Coin {
  if (isCoin(param) && param !== from) return param;
  return from === displayCurrency ? "pBTC" : displayCurrency;
}

/** The amount to give at the current index for the one to receive; null if unknown. */
function useEstimate(from: Coin, to: Coin, received: string | null): string | null {
  const prices = usePrices()?.prices ?? {};
  if (received === null) return null;
  return findGivenFor({ from, to, received }, (symbol) => findIndex(prices, symbol));
}

interface ExecutedExchange {
  quote: ExchangeQuote;
  journalId: string;
}

/** Executes a quote; each only once, however often it is sent. */
function useExecution() {
  const { send } = useApiMutation(exchangeCoin);
  return async ({ quote_id }: ExchangeQuote) => {
    const { data } = await send({ quote_id });
    await Promise.all([invalidate(getWalletList), invalidate(getRecordList)]);
    return data.journal_id;
  };
}

function useAvailable(coin: Coin): string | null {
  const wallet = useApiQuery(getWalletList, {});
  return wallet.data?.items.find((item) => item.coin === coin)?.available ?? null;
}
