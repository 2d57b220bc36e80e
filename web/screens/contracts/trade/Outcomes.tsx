import type { ReactNode } from "react";
import type { ContractDetails } from "#api/contracts.ts";
import { type StakeQuote, stakeCoin } from "#core/contracts/stake.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { percentOrdersMin } from "#web/features/money/percentOrdersMin.ts";
import { TryOrder } from "#web/features/monte-carlo/TryOrder.tsx";
import { usePercent } from "../format.ts";
import type { Tier } from "./stake.ts";

/**
 * The effect of a win and of a loss on the money, at the same size, and the odds against the
 * person.
 */
export function Outcomes({
  details,
  tier,
  quote,
  available,
}: {
  details: ContractDetails;
  tier: Tier;
  quote: StakeQuote;
  /** The available stake coin as a decimal; null while unknown or signed out. */
  available: string | null;
}) {
  const t = useText();
  const percent = usePercent();
  const side = (id: string, hint: ReactNode, value: bigint) => (
    <div className="flex min-w-0 flex-col gap-0.5 py-3 first:pr-3 last:border-l last:border-line last:pl-3">
      <dt className="text-small text-ink-soft">{t(id)}</dt>
      <dd className="text-title font-strong tracking-tight">
        <Amount value={value} coin={stakeCoin} signed />
        <span className="block text-caption font-normal tracking-normal text-ink-faint">
          {hint}
        </span>
      </dd>
    </div>
  );
  const returnedAmount = <Amount value={quote.back} coin={stakeCoin} />;
  return (
    <div>
      <dl className="grid grid-cols-2 border-y border-line">
        {side(
          "contracts.odds.right",
          t("contracts.odds.rightHint", { back: returnedAmount }),
          quote.back - quote.charged,
        )}
        {side("contracts.odds.wrong", t("contracts.odds.wrongHint"), -quote.charged)}
      </dl>
      <p className="mt-2 text-caption text-ink-faint">
        {tier.range_bp === 0
          ? t("contracts.ticket.ifEqual")
          : t("contracts.ticket.ifInRange", { percent: percent(tier.range_bp) })}
      </p>
      <Against details={details} tier={tier} />
      <div className="mt-4">
        <TryOrder
          contractId={details.contract_id}
          tier={tier}
          quote={quote}
          balance={available === null ? null : toMinorUnits(available, coinScale(stakeCoin))}
        />
      </div>
    </div>
  );
}

/** Break-even, cost, what others lost here, and the person's own record compared with chance. */
function Against({ details, tier }: { details: ContractDetails; tier: Tier }) {
  const t = useText();
  const percent = usePercent();
  const { settled, lost } = details.instance;
  return (
    <dl className="mt-3 flex flex-col gap-2">
      <Fact
        name={t("contracts.ticket.breakEven")}
        hint={t("contracts.ticket.breakEvenHint")}
        value={percent(tier.break_even_bp)}
      />
      <Fact
        name={t("contracts.ticket.cost")}
        hint={t("contracts.ticket.costHint")}
        value={<Amount value={tier.cost_per_100} coin={stakeCoin} />}
      />
      <Fact
        name={t("contracts.ticket.lostHere")}
        hint={
          settled === 0
            ? t("contracts.ticket.lostHereNone")
            : settled < percentOrdersMin
              ? t("contracts.ticket.lostHereFew")
              : t("contracts.ticket.lostHereHint", { lost, settled })
        }
        value={
          settled === 0
            ? "—"
            : settled < percentOrdersMin
              ? t("contracts.ticket.lostHereCount", { lost, settled })
              : percent(Math.round((lost * 10_000) / settled))
        }
      />
      <Mine ownFigures={details.mine} />
    </dl>
  );
}

const luckMinimum = 10;

function Mine({ ownFigures }: { ownFigures: ContractDetails["mine"] }) {
  const t = useText();
  const percent = usePercent();
  if (!ownFigures || ownFigures.settled === 0) return null;
  const hint =
    ownFigures.luck_bp === null
      ? t("contracts.ticket.mineFew", { needed: luckMinimum })
      : t("contracts.ticket.luck", { percent: percent(ownFigures.luck_bp) });
  return (
    <Fact
      name={t("contracts.ticket.mine")}
      hint={hint}
      value={t("contracts.ticket.mineOf", { won: ownFigures.won, settled: ownFigures.settled })}
    />
  );
}

function Fact({ name, hint, value }: { name: string; hint: string; value: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="min-w-0 text-small">
        {name} <span className="block text-caption text-ink-faint">{hint}</span>
      </dt>
      <dd className="shrink-0 text-small font-strong">{value}</dd>
    </div>
  );
}
