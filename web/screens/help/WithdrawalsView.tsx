import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Link } from "#ui/router.tsx";
import { WithdrawalStandard } from "#web/features/withdraw/WithdrawalStandard.tsx";

/** The withdrawal standard, and a link to try it. */
export default function WithdrawalsView() {
  const t = useText();
  return (
    <div className="px-4 pt-2">
      <p className="mb-4">{t("help.withdraw.text")}</p>
      <Link
        to="/wallet-info?coin=pUSDT&do=withdraw&amount=all"
        className={`${buttonClass({ block: true })} mb-6`}
      >
        {t("help.try.withdraw")}
      </Link>
      <h2 className="mb-2 font-strong">{t("withdraw.standard.title")}</h2>
      <WithdrawalStandard />
      <div className="pt-6">
        <Link
          to="/help?view=red-flags&flag=fee"
          className={buttonClass({ variant: "quiet", block: true })}
        >
          {t("help.withdraw.flag")}
        </Link>
      </div>
    </div>
  );
}
