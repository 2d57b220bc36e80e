import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Link } from "#ui/router.tsx";
import { DisplayAmount } from "#web/features/money/DisplayAmount.tsx";
import { useAccount } from "#web/features/money/useAccount.ts";

/**
 * Says where the rest of the total is, so that a full balance above does not contradict the card,
 * and offers two options: a new attempt, or a recharge with a voucher.
 */
export default function LowBalanceCard() {
  const t = useText();
  const { view } = useAccount();
  return (
    <section className="mt-4 rounded-dock border border-line bg-leaf p-4">
      <h2 className="font-strong">{t("low-balance.title")}</h2>
      <div className="mt-1 mb-3 text-small text-ink-soft">
        <p>{t("low-balance.text")}</p>
        {view && view.state.held > 0n ? (
          <p>
            {t("low-balance.held", {
              amount: <DisplayAmount key="held" view={view} value={view.state.held} />,
            })}
          </p>
        ) : null}
        {view && view.result.atWork > 0n ? <p>{t("low-balance.invested")}</p> : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <Link
          to="/wallet?do=attempts&start=1"
          className={buttonClass({ variant: "outline", size: "small" })}
        >
          {t("low-balance.again")}
        </Link>
        <Link
          to="/wallet-info?coin=pUSDT&do=recharge"
          className={buttonClass({ variant: "outline", size: "small" })}
        >
          {t("low-balance.voucher")}
        </Link>
      </div>
    </section>
  );
}
