import type { Pool } from "#api/hosting/pool.ts";
import { useText } from "#i18n/useText.ts";
import { Explained } from "#ui/Explained.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { Moved, useBpText, usePercentText } from "../figures.tsx";

/** The strategy's description: when it loses, its costs, and its good and bad days side by side. */
export function Costs({ pool }: { pool: Pool }) {
  const t = useText();
  const bpText = useBpText();
  const percent = usePercentText();
  const amount = (value: string) => <Amount value={value} coin={pool.coin} />;
  const { days } = pool;
  return (
    <>
      <Section title={t("hosting.how.title")} kind="plain">
        <div className="flex flex-col gap-2">
          <p>{t(`hosting.${pool.strategy}_does`)}</p>
          <p>{t(`hosting.${pool.strategy}_loses`)}</p>
          <p>{t(`hosting.${pool.strategy}_costs`)}</p>
        </div>
      </Section>
      <Section title={t("hosting.costs.title")}>
        <Row label={t("hosting.minimum")} value={amount(pool.minimum)} />
        <Row
          label={t("hosting.redemption_fee")}
          value={percent(String(pool.redemption_fee_bp), false)}
        />
        <Row
          label={t("hosting.break_even")}
          hint={t("hosting.break_even.hint")}
          value={percent(pool.break_even_bp)}
        />
        <Row
          label={<Explained text={t("hosting.word.taker")}>{t("hosting.taker_fee")}</Explained>}
          value={percent(String(pool.taker_fee_bp), false)}
        />
        <Row
          label={<Explained text={t("hosting.word.bp")}>{t("hosting.cycle_cost")}</Explained>}
          hint={t("hosting.cycle_cost.hint")}
          value={bpText(pool.cycle_cost_bp)}
        />
        <Row label={t("hosting.fees_paid")} value={amount(pool.fees_paid)} />
        <Row label={t("hosting.slippage_paid")} value={amount(pool.slippage_paid)} />
        <Row
          label={t("hosting.seed")}
          hint={t("hosting.seed.hint")}
          value={amount(pool.seed_capital)}
        />
        <Row
          label={t("hosting.terms")}
          value={<Hash value={pool.terms_hash} label={t("hosting.terms")} />}
        />
      </Section>
      <Section title={t("hosting.days.title")}>
        <Row
          label={t("hosting.days.losing")}
          value={days.losing}
          valueHint={<DayOf label={t("hosting.days.worst")} bp={days.worst_bp} />}
        />
        <Row
          label={t("hosting.days.winning")}
          value={days.winning}
          valueHint={<DayOf label={t("hosting.days.best")} bp={days.best_bp} />}
        />
        <Row label={t("hosting.days.flat")} value={days.flat} />
        <Row label={t("hosting.today")} value={<Moved bp={pool.today_bp} />} />
        <Row label={t("hosting.hold_return")} value={<Moved bp={pool.hold_return_bp} />} />
        <Row
          label={t("hosting.trades")}
          hint={t("hosting.trades.hint")}
          value={pool.trades}
          valueHint={t("hosting.trades.split", { won: pool.trades_won, lost: pool.trades_lost })}
        />
      </Section>
    </>
  );
}

function DayOf({ label, bp }: { label: string; bp: string | null }) {
  return (
    <span className="inline-flex gap-1.5">
      {label} <Moved bp={bp} />
    </span>
  );
}
