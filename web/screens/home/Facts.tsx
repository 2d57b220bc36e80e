import { type ReactNode, useId } from "react";
import { useIntl } from "react-intl";
import { getContractDetails, getContractList } from "#api/routes/contracts.ts";
import { getProductList as getPools } from "#api/routes/hosting.ts";
import { getProductList as getMachines } from "#api/routes/mining.ts";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/**
 * Three current facts about this world, each with a link to its source. A figure that is not known
 * is a dash, never a guess.
 */
export default function Facts() {
  const id = useId();
  const t = useText();
  const { formatNumber } = useIntl();
  const breakEvenBp = useBreakEven();
  const machines = useMachines();
  const trades = useTradesToday();
  const share = (bp: number) =>
    formatNumber(bp / 10_000, { style: "percent", maximumFractionDigits: 2 });
  return (
    <section aria-labelledby={id} className="mt-5">
      <h3 id={id} className="pb-2 text-small text-ink-soft">
        {t("visitor.title")}
      </h3>
      <div className="hairlines -mx-4 border-y border-line">
        <Fact to="/business" label={t("visitor.orders")} value={breakEvenBp} show={share} />
        <Fact
          to="/mining"
          label={t("visitor.machines")}
          value={machines}
          show={({ losing, all }) => t("visitor.machines.of", { losing, all })}
        />
        <Fact
          to="/robot-run-page"
          label={t("visitor.trades")}
          value={trades}
          show={(count) => formatNumber(count)}
        />
      </div>
    </section>
  );
}

/** Undefined while it loads, null when this world cannot say. */
type Loadable<Value> = Value | null | undefined;

function Fact<Value>({
  to,
  label,
  value,
  show,
}: {
  to: string;
  label: string;
  value: Loadable<Value>;
  show: (value: Value) => ReactNode;
}) {
  return (
    <Row
      to={to}
      label={<span className="text-small">{label}</span>}
      value={
        <span className="font-strong">
          {value === undefined ? (
            <Skeleton width="3.5rem" height="0.9rem" />
          ) : value === null ? (
            "—"
          ) : (
            show(value)
          )}
        </span>
      }
    />
  );
}

/** The share of orders that must be won in the shortest tier of the first contract. */
function useBreakEven(): Loadable<number> {
  const list = useApiQuery(getContractList, { type: "all" });
  const first = list.data?.items[0]?.contract_id;
  const details = useApiQuery(
    getContractDetails,
    { contract_id: first ?? "" },
    { enabled: first !== undefined },
  );
  if (list.isError || details.isError || list.data?.items.length === 0) return null;
  if (!details.data) return undefined;
  return details.data.terms.tiers[0]?.break_even_bp ?? null;
}

/** How many of the machines for lease would lose in a day at the present price. */
function useMachines(): Loadable<{ losing: number; all: number }> {
  const { data, isError } = useApiQuery(getMachines, {});
  if (!data) return isError ? null : undefined;
  const priced = data.items.flatMap(({ expected }) => (expected ? [expected.net] : []));
  if (priced.length === 0) return null;
  return { losing: priced.filter((net) => net.startsWith("-")).length, all: priced.length };
}

function useTradesToday(): Loadable<number> {
  const { data, isError } = useApiQuery(getPools, {});
  if (!data) return isError ? null : undefined;
  if (data.items.length === 0) return null;
  return data.items.reduce((sum, pool) => sum + pool.trades_today, 0);
}
