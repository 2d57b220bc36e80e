import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Link } from "#ui/router.tsx";

/** Two ways on: a new attempt, or a recharge with a voucher. */
export default function LowBalanceCard() {
  const t = useText();
  return (
    <section className="mt-4 rounded-dock border border-line bg-leaf p-4">
      <h2 className="font-strong">{t("low-balance.title")}</h2>
      <p className="mt-1 mb-3 text-small text-ink-soft">{t("low-balance.text")}</p>
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
