import type { Pool } from "#api/hosting/pool.ts";
import type { Friction } from "#api/hosting/shapes.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { TryPool } from "#web/features/monte-carlo/TryPool.tsx";
import { Figure, Moved, usePercentText } from "../figures.tsx";

const frictions = ["frictionless", "realistic", "harsh"] as const;

interface DialProps {
  pool: Pool;
  friction: Friction;
  onChange: (friction: Friction) => void;
}

/**
 * The same strategy over the same market with no, real and double friction: how much of a claimed
 * profit comes from leaving it out.
 */
export function FrictionDial({ pool, friction, onChange }: DialProps) {
  const t = useText();
  const percent = usePercentText();
  const result = pool.friction[friction];
  const frictionlessReturn = pool.friction.frictionless.return_bp;
  const realisticReturn = pool.friction.realistic.return_bp;
  return (
    <Section title={t("hosting.friction.title")} kind="plain">
      <p className="pb-3 text-small text-ink-soft">{t("hosting.friction.text")}</p>
      <Segmented
        label={t("hosting.friction.title")}
        value={friction}
        onChange={onChange}
        options={frictions.map((value) => ({ value, label: t(`hosting.friction.${value}`) }))}
      />
      <p className="pt-3 text-small text-ink-soft">{t(`hosting.friction.${friction}.text`)}</p>
      <div className="hairlines -mx-4 mt-3 border-y border-line" aria-live="polite">
        <Row
          label={t("hosting.return")}
          value={<Moved bp={result.return_bp} className="font-strong" />}
        />
        <Row label={t("hosting.nav")} value={<Figure value={result.nav} />} />
        <Row label={t("hosting.drawdown")} value={<Moved bp={result.drawdown_bp} />} />
        <Row label={t("hosting.trades")} value={result.trades} />
        <Row
          label={t("hosting.fees_paid")}
          value={<Amount short="cost" value={result.fees} coin={pool.coin} />}
        />
        <Row
          label={t("hosting.slippage_paid")}
          value={<Amount short="cost" value={result.slippage} coin={pool.coin} />}
        />
      </div>
      <p className="pt-3">
        {t("hosting.friction.gap", {
          claimed: percent(frictionlessReturn),
          real: percent(realisticReturn),
          gap: percent((Number(frictionlessReturn) - Number(realisticReturn)).toFixed(2)),
        })}
      </p>
      <div className="pt-3">
        <TryPool productId={pool.product_id} coin={pool.coin} friction={friction} />
      </div>
    </Section>
  );
}
