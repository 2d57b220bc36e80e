import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Change } from "#ui/figures/Change.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { percentOrdersMin } from "#web/features/money/percentOrdersMin.ts";
import { useConfigQuery } from "#web/lib/api/useConfig.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { Hashrate } from "./ProductLines.tsx";

/**
 * This instance's counts about itself. A product line not yet running says so instead of showing
 * zero.
 */
export function InstanceCounts() {
  const { formatNumber } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const config = useConfigQuery();
  const pool = config.data?.home.pool;
  const hasFewOrders = (pool?.orders_settled ?? 0) < percentOrdersMin;
  const notYetText = <span className="text-small text-ink-faint">{t("home.counted.not_yet")}</span>;
  return (
    <Section title={t("home.counted.title")} note={t("home.counted.note")}>
      {pool ? (
        <>
          <Figure id="home.counted.settled">{formatNumber(pool.orders_settled)}</Figure>
          <Figure id={hasFewOrders ? "home.counted.orders_lost" : "home.counted.lost"}>
            {pool.orders_settled === 0 ? (
              <span className="text-small text-ink-faint">{t("home.counted.none")}</span>
            ) : hasFewOrders ? (
              t("home.counted.of", { lost: pool.orders_lost, count: pool.orders_settled })
            ) : (
              formatNumber(pool.orders_lost / pool.orders_settled, {
                style: "percent",
                maximumFractionDigits: 1,
              })
            )}
          </Figure>
          <Figure id="home.counted.hosted">
            {pool.hosted_total === null ? (
              notYetText
            ) : (
              <Amount value={shortWorthText(pool.hosted_total, "pUSDT")} coin="pUSDT" />
            )}
          </Figure>
          <Figure id="home.counted.nav">
            {pool.nav_change_today_bp === null ? (
              notYetText
            ) : (
              <Change bp={pool.nav_change_today_bp} />
            )}
          </Figure>
          <Figure id="home.counted.hashrate">
            {pool.hashrate_at_work === null ? (
              notYetText
            ) : (
              <Hashrate value={pool.hashrate_at_work} />
            )}
          </Figure>
        </>
      ) : config.error ? (
        <div className="p-4">
          <ErrorNote busy={config.isFetching} onRetry={() => void config.refetch()}>
            {errorMessage(config.error)}
          </ErrorNote>
        </div>
      ) : (
        <SkeletonRows count={5} />
      )}
    </Section>
  );
}

function Figure({ id, children }: { id: string; children: ReactNode }) {
  const t = useText();
  return (
    <Row
      label={<span className="text-small">{t(id)}</span>}
      value={children}
      className="min-h-12"
    />
  );
}
