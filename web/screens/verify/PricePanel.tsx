import { useState } from "react";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Field } from "#ui/form/Field.tsx";
import { inputClass, TextInput } from "#ui/form/TextInput.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { reportTask } from "#web/features/classes/reportTask.ts";
import type { LoggedSecond } from "#web/features/receipt/priceSample.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { usePrices } from "#web/lib/stream.ts";
import { formatSecondText, parseSecondText } from "#web/screens/verify/secondText.ts";
import { openFollowedLog, useLogErrorMessage } from "#web/screens/verify/useLog.ts";

type SecondLookup =
  | { state: "found"; symbol: string; secondMs: number; logged: LoggedSecond }
  | { state: "none" }
  | { state: "failed"; text: string };

/** Looks up the price of one second in the log and recomputes it from the quotes beside it. */
export default function PricePanel() {
  const t = useText();
  const { names, symbol, setSymbol, text, type, error, isBusy, found, look } = usePriceLookUp();
  return (
    <div className="pt-5">
      <div className="grid gap-5 px-4">
        <p className="text-small text-ink-soft">{t("verify.price.intro")}</p>
        <Field label={t("verify.price.symbol")}>
          <select
            aria-label={t("verify.price.symbol")}
            value={symbol || names[0]}
            onChange={(event) => setSymbol(event.target.value)}
            className={inputClass}
          >
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t("verify.price.second")} hint={t("verify.price.second.hint")} error={error}>
          <TextInput value={text} inputMode="numeric" autoComplete="off" onChange={type} />
        </Field>
        <Button block busy={isBusy} onClick={() => void look()}>
          {t("verify.price.look")}
        </Button>
      </div>
      <div aria-live="polite">
        {found?.state === "none" ? <p className="px-4 pt-5">{t("verify.price.none")}</p> : null}
        {found?.state === "failed" ? (
          <div className="px-4 pt-5">
            <ErrorNote>{found.text}</ErrorNote>
          </div>
        ) : null}
        {found?.state === "found" ? <Second lookup={found} /> : null}
      </div>
    </div>
  );
}

/** The query, and the log's answer. */
function usePriceLookUp() {
  const t = useText();
  const pushedPrices = usePrices();
  const config = useConfig();
  const [symbol, setSymbol] = useState("");
  const [enteredText, setEnteredText] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [secondLookup, setSecondLookup] = useState<SecondLookup | null>(null);
  const errorMessage = useLogErrorMessage();
  // Suggested once: half a real minute ago, or where an archive ends. A new world's log is shorter:
  // a quarter of its leaves back, of which most are seconds, is still in it.
  const archive = config?.world.archive;
  if (enteredText === null && archive) setEnteredText(formatSecondText(archive.last_second_ms));
  if (enteredText === null && pushedPrices && config) {
    const secondsBack = Math.min(30 * config.world.market.speed, Math.floor(pushedPrices.leaf / 4));
    setEnteredText(formatSecondText(pushedPrices.second_ms - 1000 * secondsBack));
  }
  const names = config?.symbols.map(({ name }) => name) ?? [];
  const text = enteredText ?? "";
  const lookUpSecond = async () => {
    const secondMs = parseSecondText(text);
    if (secondMs === null) {
      setError(t("verify.price.malformed"));
      return;
    }
    setIsBusy(true);
    setSecondLookup(null);
    setSecondLookup(
      await lookUp(symbol || (names[0] ?? ""), secondMs).catch((error: unknown) => ({
        state: "failed" as const,
        text: errorMessage(error),
      })),
    );
    setIsBusy(false);
  };
  const type = (value: string) => {
    setEnteredText(value);
    setError(null);
  };
  return {
    names,
    symbol,
    setSymbol,
    text,
    type,
    error,
    isBusy,
    found: secondLookup,
    look: lookUpSecond,
  };

  async function lookUp(symbolName: string, secondMs: number): Promise<SecondLookup> {
    const [{ followed }, { findSecond }] = await Promise.all([
      openFollowedLog(),
      import("#web/features/receipt/priceSample.ts"),
    ]);
    if (!followed.ok) {
      const id = `receipt.problem.${followed.error}`;
      return { state: "failed", text: t(id) };
    }
    const loggedSecond = await findSecond(followed.view, secondMs);
    if (!loggedSecond) return { state: "none" };
    reportTask("price");
    return { state: "found", symbol: symbolName, secondMs, logged: loggedSecond };
  }
}

function Second({ lookup }: { lookup: Extract<SecondLookup, { state: "found" }> }) {
  const t = useText();
  const { second, world, recomputed, leaf } = lookup.logged;
  const column = world.symbols.findIndex(({ name }) => name === lookup.symbol);
  const scale = world.symbols[column]?.scale ?? 0;
  const index = second.index[column] ?? null;
  const recomputedPrice = recomputed[column] ?? null;
  const price = (value: bigint | null) => (
    <PriceText value={value === null ? null : formatDecimal(value, scale, true)} scale={scale} />
  );
  return (
    <>
      <Section title={`${lookup.symbol} · ${formatSecondText(lookup.secondMs)} UTC`}>
        <Row label={t("verify.price.leaf")} value={String(leaf)} />
        <Row label={t("verify.price.index")} value={price(index)} />
        <Row label={t("verify.price.again")} value={price(recomputedPrice)} />
        <Row label={t("verify.price.orders")} value={String(second.ordersCount)} />
      </Section>
      <Section title={t("verify.price.quotes")}>
        {world.venues.map((venue, row) => {
          if (!world.symbols[column]?.venues.includes(venue)) return null;
          const quote = second.quotes[row]?.[column] ?? null;
          return (
            <Row
              key={venue}
              label={venue}
              value={
                quote ? (
                  <>
                    {price(quote.bid)} <span className="text-ink-faint">/</span> {price(quote.ask)}
                  </>
                ) : (
                  t("verify.price.stale")
                )
              }
            />
          );
        })}
      </Section>
      <div className="px-4 pt-5">
        {index === recomputedPrice ? (
          <p className="text-small text-ink-soft">{t("verify.price.agrees")}</p>
        ) : (
          <ErrorNote>{t("receipt.problem.index_differs")}</ErrorNote>
        )}
      </div>
    </>
  );
}
