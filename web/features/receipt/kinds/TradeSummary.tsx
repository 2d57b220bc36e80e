import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { FillCosts } from "#web/features/fill-costs/FillCosts.tsx";
import type { TradeDetail } from "#web/features/receipt/kinds/hostingKind.ts";

/**
 * A paper trade's receipt, alongside the recomputed values: its legs, and what they made or cost.
 */
export function TradeSummary({ detail }: { detail: TradeDetail }) {
  const t = useText();
  const { receipt, decision, costs } = detail;
  const { fills, gross, slippage, fees, net } = receipt.result;
  const money = (value: bigint) => <Amount value={value} coin="pUSDT" signed />;
  return (
    <>
      <Section title={t("receipt.trade")} note={t("receipt.trade.note")}>
        <Row
          label={t("receipt.pool")}
          value={<span className="font-mono text-small">{receipt.pool_id}</span>}
        />
        {decision ? (
          <Row
            label={t("receipt.trade.purpose")}
            value={t(`receipt.trade.purpose.${decision.purpose}`)}
          />
        ) : null}
        {costs ? null : (
          <>
            <Row label={t("receipt.trade.gross")} value={money(BigInt(gross))} />
            <Row label={t("receipt.trade.slippage")} value={money(-BigInt(slippage))} />
            <Row label={t("receipt.trade.fees")} value={money(-BigInt(fees))} />
          </>
        )}
        <Row
          label={t("receipt.trade.net")}
          value={<Amount value={BigInt(net)} coin="pUSDT" signed toned />}
        />
      </Section>
      {costs ? (
        <FillCosts of="trade" coin="pUSDT" from={BigInt(gross)} to={BigInt(net)} costs={costs} />
      ) : null}
      {decision ? (
        <Section title={t("receipt.trade.legs")}>
          {decision.orders.map(({ venue, symbol, side, quantity }, leg) => {
            const fill = fills[leg]!;
            const [base, quote] = symbol.split("/") as [string, string];
            return (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: a leg is identified by its position
                key={leg}
                label={`${venue} · ${symbol}`}
                hint={
                  <>
                    {t(`receipt.trade.${side}`)}{" "}
                    <Amount value={BigInt(quantity)} coin={getCoin(base)} />
                  </>
                }
                value={<Amount value={BigInt(fill.quantity)} coin={getCoin(base)} />}
                valueHint={
                  fill.why === null ? (
                    <Amount value={BigInt(fill.quote)} coin={getCoin(quote)} />
                  ) : (
                    t(`receipt.trade.why.${fill.why}`)
                  )
                }
              />
            );
          })}
        </Section>
      ) : null}
    </>
  );
}

/** A pool that people can subscribe to owns practice coins only. */
const getCoin = (asset: string) => `p${asset}` as Coin;
