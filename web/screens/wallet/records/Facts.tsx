import { useIntl } from "react-intl";
import type { WalletRecord } from "#api/records.ts";
import { type MarketSymbol, symbolNames, symbols } from "#core/market/symbols.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText, useTextOr } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** The facts that explain a record, by name. */
export function Facts({ facts }: { facts: WalletRecord["facts"] }) {
  const t = useText();
  const textOr = useTextOr();
  const entries = Object.entries(facts).filter(([, value]) => value !== null);
  if (entries.length === 0) return null;
  return (
    <Section title={t("records.facts")} className="-mx-4">
      {entries.map(([name, value]) => (
        <Row
          key={name}
          label={textOr(`records.fact.${name}`, name)}
          value={<FactValue name={name} value={value} symbol={findSymbol(name, facts)} />}
        />
      ))}
    </Section>
  );
}

const prices = ["rate", "index"];

/**
 * The market whose scale a price has; null if the fact is not a price. Facts of a second step end
 * with `_2`.
 */
function findSymbol(name: string, facts: WalletRecord["facts"]): MarketSymbol | null {
  const [, base = "", suffix = ""] = /^(.*?)(_2)?$/.exec(name) ?? [];
  const symbol = facts[`symbol${suffix}`];
  return prices.includes(base)
    ? (symbolNames.find((symbolName) => symbolName === symbol) ?? null)
    : null;
}

interface FactValueProps {
  name: string;
  value: WalletRecord["facts"][string];
  symbol: MarketSymbol | null;
}

function FactValue({ name, value, symbol }: FactValueProps) {
  const intl = useIntl();
  const t = useText();
  const textOr = useTextOr();
  if (symbol && typeof value === "string" && /^\d+$/.test(value)) {
    const { scale } = symbols[symbol];
    return <PriceText value={formatDecimal(BigInt(value), scale, true)} scale={scale} />;
  }
  if (typeof value === "object" && value !== null) {
    return <Amount value={value.amount} coin={value.coin} />;
  }
  if (typeof value === "boolean") {
    return t(value ? "records.yes" : "records.no");
  }
  if (typeof value === "number") {
    return name.endsWith("_ms")
      ? intl.formatDate(value, { dateStyle: "medium", timeStyle: "medium" })
      : intl.formatNumber(value);
  }
  const word = textOr(`records.value.${name}.${value ?? ""}`, value ?? "");
  // Addresses, ids and hashes are compared character by character.
  return word === value && value.length > 20 && !value.includes(" ") ? (
    <span className="font-mono text-small break-all">{value}</span>
  ) : (
    <span className="break-words">{word}</span>
  );
}
