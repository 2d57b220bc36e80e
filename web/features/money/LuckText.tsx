import { useIntl } from "react-intl";
import { getLuck } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Fold } from "#ui/Fold.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";
import { percentOrdersMin } from "#web/features/money/percentOrdersMin.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";

/**
 * The share of luck in a result, shown beside it: the average return of such orders, how many
 * people are ahead by luck alone after this many orders and after more, and the share that lost
 * here. It is never a share of the stake, which would read as skill.
 */
export default function LuckText({
  className = "",
  short = false,
}: {
  className?: string;
  /** Leaves out the effect of luck after many orders, for places with room for two lines. */
  short?: boolean;
}) {
  const { formatNumber, formatList } = useIntl();
  const t = useText();
  const { status } = useSession();
  const { data } = useApiQuery(getLuck, {}, { enabled: status === "signed_in" });
  const pool = useConfig()?.home.pool;
  const percent = (share: number) =>
    formatNumber(share, { style: "percent", maximumSignificantDigits: 2 });
  const amount = (value: string) => (
    <Amount key={value} value={shortWorthText(value, "pUSDT")} coin="pUSDT" signed />
  );
  const settledCount = pool?.orders_settled ?? 0;
  if (!data?.decided && settledCount === 0) return null;
  return (
    <div className={`text-small text-ink-soft ${className}`}>
      {data && data.decided > 0 ? (
        <>
          <p>
            {t("results.luck.expected", {
              count: data.decided,
              expected: amount(data.expected),
              net: amount(data.net),
            })}
          </p>
          {short ? null : (
            <Fold label={t("results.luck.title")}>
              {t("results.luck.ahead", {
                list: formatList(
                  data.ahead.map(({ orders, share_bp: share }) =>
                    t("results.luck.share", { share: percent(share / 10_000), orders }),
                  ),
                  { type: "unit" },
                ),
              })}
            </Fold>
          )}
        </>
      ) : null}
      {pool && settledCount > 0 ? (
        <p>
          {t(settledCount < percentOrdersMin ? "results.luck.lostCount" : "results.luck.lost", {
            share: percent(pool.orders_lost / settledCount),
            lost: pool.orders_lost,
            count: settledCount,
          })}
        </p>
      ) : null}
    </div>
  );
}
