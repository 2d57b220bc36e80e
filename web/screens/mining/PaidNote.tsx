import { useText } from "#i18n/useText.ts";
import { Link } from "#ui/router.tsx";

/** Where payouts go, and the one rule for withdrawing them. */
export function PaidNote() {
  const t = useText();
  return (
    <p className="px-4 pt-3 text-small text-ink-soft">
      {t("mining.paid")}{" "}
      <Link
        to="/wallet-info?coin=pBTC&do=withdraw"
        className="-my-3 inline-block py-3 text-signal-ink underline"
      >
        {t("mining.paid.withdraw")}
      </Link>
    </p>
  );
}
