import { IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { Payout } from "#api/mining.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Link } from "#ui/router.tsx";

/** One day of one lease; expands to what the amount consists of and where to verify it. */
export function PayoutRow({ payout }: { payout: Payout }) {
  const { formatDate, formatNumber } = useIntl();
  const t = useText();
  const result =
    payout.worth === null
      ? null
      : toMinorUnits(payout.worth, coinScale("pUSDT")) -
        toMinorUnits(payout.price, coinScale("pUSDT")) -
        toMinorUnits(payout.power, coinScale("pUSDT"));
  const satoshi = (value: string) =>
    `${formatNumber(Number(value), { minimumFractionDigits: 4, maximumFractionDigits: 4 })} sat`;
  const renderRow = (id: string, value: ReactNode) => (
    <>
      <dt className="text-ink-soft">{t(id)}</dt>
      <dd className="text-right">{value}</dd>
    </>
  );
  return (
    <details className="group">
      <summary className="flex min-h-15 cursor-pointer list-none items-center gap-3 px-4 py-2.5 hover:bg-leaf focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">
          <span className="block">
            {formatDate(payout.to_ms, { dateStyle: "medium", timeStyle: "short" })}
          </span>
          <span className="block truncate text-small text-ink-faint">
            {t("mining.payouts.day", { day: payout.day })} · {payout.quantity} × {payout.model}
          </span>
        </span>
        <span className="text-right">
          <span className="block">
            <Amount value={payout.amount} coin="pBTC" signed />
          </span>
          {result === null ? null : (
            <span className="block text-small">
              <Amount value={result} coin="pUSDT" signed toned />
            </span>
          )}
        </span>
        <IconChevronDown
          size={18}
          aria-hidden="true"
          className="shrink-0 text-signal-ink transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="px-4 pb-4">
        <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 text-small">
          {renderRow("mining.payouts.gross", satoshi(payout.gross_sat))}
          {renderRow("mining.payouts.net", satoshi(payout.net_sat))}
          {renderRow("mining.payouts.credited", <Amount value={payout.amount} coin="pBTC" />)}
          {renderRow(
            "mining.payouts.worth",
            payout.worth === null ? "—" : <Amount value={payout.worth} coin="pUSDT" />,
          )}
          {renderRow("mining.payouts.price", <Amount value={payout.price} coin="pUSDT" />)}
          {renderRow("mining.payouts.power", <Amount value={payout.power} coin="pUSDT" />)}
          {renderRow(
            "mining.payouts.result",
            result === null ? "—" : <Amount value={result} coin="pUSDT" signed toned />,
          )}
        </dl>
        <Link
          to={`/verify?lease_id=${payout.lease_id}`}
          className="mt-1 inline-flex min-h-11 items-center text-small text-signal-ink underline"
        >
          {t("mining.check")}
        </Link>
      </div>
    </details>
  );
}
