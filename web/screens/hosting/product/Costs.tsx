import { useIntl } from "react-intl";
import type { Pool } from "#api/hosting.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { Moved, useBpText, usePercentText } from "../figures.tsx";

/** What the strategy does, when it loses, what it costs, and the good and bad days side by side. */
export function Costs({ pool }: { pool: Pool }) {
  const { formatMessage } = useIntl();
  const bpText = useBpText();
  const percent = usePercentText();
  const say = (id: string) => formatMessage({ id });
  const amount = (value: string) => <Amount value={value} coin={pool.coin} />;
  const { days } = pool;
  return (
    <>
      <Section title={say("hosting.how.title")} kind="plain">
        <div className="flex flex-col gap-2">
          <p>{say(`hosting.${pool.strategy}_does`)}</p>
          <p>{say(`hosting.${pool.strategy}_loses`)}</p>
          <p>{say(`hosting.${pool.strategy}_costs`)}</p>
        </div>
      </Section>
      <Section title={say("hosting.costs.title")}>
        <Row label={say("hosting.minimum")} value={amount(pool.minimum)} />
        <Row
          label={say("hosting.redemption_fee")}
          value={percent(String(pool.redemption_fee_bp), false)}
        />
        <Row
          label={say("hosting.break_even")}
          hint={say("hosting.break_even.hint")}
          value={percent(pool.break_even_bp)}
        />
        <Row label={say("hosting.taker_fee")} value={percent(String(pool.taker_fee_bp), false)} />
        <Row
          label={say("hosting.cycle_cost")}
          hint={say("hosting.cycle_cost.hint")}
          value={bpText(pool.cycle_cost_bp)}
        />
        <Row label={say("hosting.fees_paid")} value={amount(pool.fees_paid)} />
        <Row label={say("hosting.slippage_paid")} value={amount(pool.slippage_paid)} />
        <Row
          label={say("hosting.seed")}
          hint={say("hosting.seed.hint")}
          value={amount(pool.seed_capital)}
        />
        <Row
          label={say("hosting.terms")}
          value={<Hash value={pool.terms_hash} label={say("hosting.terms")} />}
        />
      </Section>
      <Section title={say("hosting.days.title")}>
        <Row
          label={say("hosting.days.losing")}
          value={days.losing}
          valueHint={<DayOf label={say("hosting.days.worst")} bp={days.worst_bp} />}
        />
        <Row
          label={say("hosting.days.winning")}
          value={days.winning}
          valueHint={<DayOf label={say("hosting.days.best")} bp={days.best_bp} />}
        />
        <Row label={say("hosting.days.flat")} value={days.flat} />
        <Row label={say("hosting.today")} value={<Moved bp={pool.today_bp} />} />
        <Row label={say("hosting.hold_return")} value={<Moved bp={pool.hold_return_bp} />} />
        <Row
          label={say("hosting.trades")}
          hint={say("hosting.trades.hint")}
          value={pool.trades}
          valueHint={formatMessage(
            { id: "hosting.trades.split" },
            { won: pool.trades_won, lost: pool.trades_lost },
          )}
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
