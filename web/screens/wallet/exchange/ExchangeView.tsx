import { IconArrowsUpDown } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { quoteExchange } from "#api/routes/exchange.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { type Coin, coinCodes, isCoin } from "#core/money/coins.ts";
import { displayCurrency } from "#core/wallet/valuation.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { type FirmQuote, QuotePanel } from "./QuotePanel.tsx";

/** Half a second of the quote's time is reserved for the request. */
const wayMs = 500;

/** Exchanges one coin for another: an amount, a firm quote with all its costs, then the button. */
export default function ExchangeView({ coin: from }: { coin: Coin }) {
  const t = useText();
  const [query, setQuery] = useSearchParams();
  const others = coinCodes.filter((code) => code !== from);
  const asked = query.get("to") ?? "";
  const to: Coin =
    isCoin(asked) && asked !== from ? asked : from === displayCurrency ? "pBTC" : displayCurrency;
  const [typed, setTyped] = useState(query.get("amount") ?? "");
  const available = useAvailable(from);
  const { firmQuote, ask, drop, busy, failure, problem } = useQuote(from, to, typed);
  const go = (coin: Coin, target: Coin, amount: string) => {
    drop();
    const next = new URLSearchParams(query);
    next.set("coin", coin);
    next.set("to", target);
    next.set("amount", amount);
    setQuery(next, { replace: true });
  };
  const change = (amount: string) => {
    drop();
    setTyped(amount);
  };
  return (
    <div className="flex flex-col gap-5 px-4 pb-6">
      <Field
        label={t("exchange.give")}
        aside={
          available === null ? null : (
            <>
              {t("exchange.available")} <Amount value={available} coin={from} />
            </>
          )
        }
        error={problem ? t("exchange.enterAmount") : undefined}
      >
        <AmountInput
          value={typed}
          coin={from}
          onChange={change}
          chips={available === null ? [] : [{ label: t("exchange.all"), value: available }]}
        />
      </Field>
      <div className="flex items-center gap-3">
        <div className="h-px flex-1 bg-line" />
        <IconButton
          label={t("exchange.swap")}
          onClick={() => go(to, from, firmQuote ? firmQuote.quote.received : "")}
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
          onChange={(next) => go(from, next, typed)}
          options={others.map((code) => ({ value: code, label: code }))}
        />
      </div>
      {failure ? <ErrorNote>{failure}</ErrorNote> : null}
      {firmQuote ? (
        <QuotePanel
          key={firmQuote.quote.quote_id}
          {...firmQuote}
          onAgain={ask}
          asking={busy}
          onDone={() => change("")}
        />
      ) : (
        <>
          <p className="text-small text-ink-soft">{t("exchange.before")}</p>
          <Button block busy={busy} onClick={ask}>
            {t("exchange.quote")}
          </Button>
        </>
      )}
    </div>
  );
}

function useAvailable(coin: Coin): string | null {
  const wallet = useApiQuery(getWalletList, {});
  return wallet.data?.items.find((one) => one.coin === coin)?.available ?? null;
}

/** Fetches a quote on demand; never by itself. */
function useQuote(from: Coin, to: Coin, typed: string) {
  const errorMessage = useErrorMessage();
  const asking = useApiMutation(quoteExchange);
  const [firmQuote, setFirmQuote] = useState<FirmQuote | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [problem, setProblem] = useState(false);
  const drop = () => {
    setFirmQuote(null);
    setFailure(null);
    setProblem(false);
  };
  const ask = async () => {
    const amount = settleAmountText(typed);
    drop();
    if (/^[0.]*$/.test(amount)) {
      setProblem(true);
      return;
    }
    const askedMs = performance.now();
    try {
      const { data } = await asking.send({ from, to, amount });
      setFirmQuote({ quote: data, untilMs: askedMs + data.firm_ms - wayMs });
    } catch (error) {
      setFailure(errorMessage(error));
    }
  };
  return { firmQuote, ask: () => void ask(), drop, busy: asking.busy, failure, problem };
}
