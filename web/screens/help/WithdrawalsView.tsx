import { useIntl } from "react-intl";
import { Link } from "react-router";
import { buttonClass } from "#ui/buttonClass.ts";
import { WithdrawalStandard } from "#web/features/withdraw/WithdrawalStandard.tsx";

/** The withdrawal standard, and the way to try it. */
export default function WithdrawalsView() {
  const { formatMessage } = useIntl();
  return (
    <div className="px-4 pt-2">
      <p className="mb-6">{formatMessage({ id: "help.withdraw.text" })}</p>
      <h2 className="mb-2 font-strong">{formatMessage({ id: "withdraw.standard.title" })}</h2>
      <WithdrawalStandard />
      <div className="grid gap-2 pt-6">
        <Link
          to="/wallet-info?coin=pUSDT&do=withdraw&amount=all"
          className={buttonClass({ block: true })}
        >
          {formatMessage({ id: "help.try.withdraw" })}
        </Link>
        <Link
          to="/help?view=red-flags&flag=fee"
          className={buttonClass({ variant: "quiet", block: true })}
        >
          {formatMessage({ id: "help.withdraw.flag" })}
        </Link>
      </div>
    </div>
  );
}
