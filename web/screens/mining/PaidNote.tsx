import { useIntl } from "react-intl";
import { Link } from "react-router";

/** Where payouts go, and the one rule for taking them out. */
export function PaidNote() {
  const { formatMessage } = useIntl();
  return (
    <p className="px-4 pt-3 text-small text-ink-soft">
      {formatMessage({ id: "mining.paid" })}{" "}
      <Link
        to="/wallet-info?coin=pBTC&do=withdraw"
        className="-my-3 inline-block py-3 text-signal-ink underline"
      >
        {formatMessage({ id: "mining.paid.withdraw" })}
      </Link>
    </p>
  );
}
