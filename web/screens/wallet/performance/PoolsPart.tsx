import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import type { Results } from "./csv.ts";

/** Each pool: units and NAV, what the span earned, and the coin held instead. */
export function PoolsPart({ pools, records }: { pools: Results["pools"]; records: string }) {
  const t = useText();
  return (
    <Section
      title={t("performance.pools")}
      note={t("performance.pools.note")}
      action={
        <Link
          to={`/wallet-record?group=hosting${records}`}
          className="inline-flex min-h-11 items-center text-small text-signal-ink hover:underline"
        >
          {t("performance.postings")}
        </Link>
      }
    >
      {pools.map((pool) => (
        <Pool key={pool.product_id} pool={pool} />
      ))}
    </Section>
  );
}

const minor = (text: string) => toMinorUnits(text, coinScale("pUSDT"));

function Pool({ pool }: { pool: Results["pools"][number] }) {
  const t = useText();
  const amount = (value: string | bigint, signed = false) => (
    <Amount value={value} coin="pUSDT" signed={signed} toned={signed} />
  );
  const { held_instead: buyAndHold } = pool;
  return (
    <div className="py-1">
      <Row
        label={<span className="font-strong">{t(`hosting.strategy.${pool.strategy}`)}</span>}
        hint={t("performance.pool.units", { units: pool.units, nav: pool.nav })}
        value={amount(pool.value)}
        to={`/ai/product?product_id=${pool.product_id}`}
      />
      <Row
        label={t("performance.pool.earned")}
        value={amount(minor(pool.earned) - minor(pool.fees), true)}
        className="min-h-11 text-small"
      />
      <Row
        label={t("performance.pool.result")}
        value={amount(pool.result, true)}
        className="min-h-11 text-small"
      />
      {buyAndHold === null ? null : (
        <Row
          label={t("performance.pool.held")}
          hint={t("performance.pool.held.hint")}
          value={amount(buyAndHold)}
          valueHint={t("performance.pool.ahead", {
            amount: (
              <Amount
                key="ahead"
                value={minor(pool.value) - minor(buyAndHold)}
                coin="pUSDT"
                signed
                toned
              />
            ),
          })}
          className="min-h-11 text-small"
        />
      )}
    </div>
  );
}
