import { useIntl } from "react-intl";
import { symbols } from "#core/market/symbols.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import type { LiveWallet } from "./useWallet.ts";

/**
 * How the total is computed, with every digit: amounts, prices, values, their sum, and where the
 * prices are logged.
 */
export function WorthSheet({
  open,
  onClose,
  wallet,
  display,
}: {
  open: boolean;
  onClose: () => void;
  wallet: LiveWallet;
  display: Coin;
}) {
  const { formatTime } = useIntl();
  const t = useText();
  const { items, total } = wallet.valued;
  const heldItems = items.filter(({ amount }) => amount !== 0n);
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t("wallet.why.title")}
      description={t(display === "pUSDT" ? "wallet.why.formula" : "wallet.why.formulaIn", {
        display,
      })}
    >
      <Section className="-mx-4">
        {heldItems.map(({ coin, amount, worth, symbol, price }) => (
          <Row
            key={coin}
            label={<Amount value={amount} coin={coin} />}
            hint={
              symbol === null || coin === display ? undefined : (
                <>
                  {symbol} <PriceText value={price} scale={symbols[symbol].scale} />
                </>
              )
            }
            value={worth === null ? t("wallet.unpriced") : <Amount value={worth} coin={display} />}
          />
        ))}
        <Row
          label={<span className="font-strong">{t("wallet.total")}</span>}
          value={
            total === null ? "—" : <Amount value={total} coin={display} className="font-strong" />
          }
        />
      </Section>
      <p className="mt-4 text-small text-ink-soft">{t("wallet.why.rounding")}</p>
      {wallet.pricedAtMs === null ? null : (
        <p className="mt-2 text-small text-ink-soft">
          {wallet.leaf === null
            ? t("wallet.totalAt", { time: formatTime(wallet.pricedAtMs, { timeStyle: "medium" }) })
            : t("wallet.why.leaf", {
                time: formatTime(wallet.pricedAtMs, { timeStyle: "medium" }),
                leaf: wallet.leaf,
              })}{" "}
          <Link to="/verify?part=price" className="text-signal-ink underline">
            {t("wallet.why.check")}
          </Link>
        </p>
      )}
    </Sheet>
  );
}
