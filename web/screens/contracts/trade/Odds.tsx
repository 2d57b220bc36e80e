import type { ReactNode } from "react";
import { type StakeQuote, stakeCoin } from "#core/contracts/stake.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { useDuration, usePercent } from "../format.ts";
import type { Tier } from "./stake.ts";

/**
 * The effect of a win and of a loss on the balance, and the share of wins needed, in one line at
 * one size. Placed before Up and Down everywhere. `showsStake` adds the stake and the duration,
 * where the window is too low for their fields to be in view.
 */
export function Odds({
  tier,
  quote,
  showsStake,
}: {
  tier: Tier;
  quote: StakeQuote;
  showsStake?: boolean;
}) {
  const t = useText();
  const percent = usePercent();
  const duration = useDuration();
  const item = (id: string, value: ReactNode) => (
    <div className="flex min-w-0 flex-col pr-2">
      <dt className="text-caption text-balance text-ink-soft">{t(id)}</dt>
      <dd className="text-small font-strong whitespace-nowrap">{value}</dd>
    </div>
  );
  const net = (value: bigint) => <Amount value={value} coin={stakeCoin} signed bare />;
  return (
    <>
      {showsStake ? (
        <p className="-my-1 text-small">
          <Amount value={quote.stake} coin={stakeCoin} /> · {duration(tier.seconds)}
        </p>
      ) : null}
      <dl className="grid grid-cols-[1fr_1fr_auto] items-end">
        {item("contracts.odds.right", net(quote.back - quote.charged))}
        {item("contracts.odds.wrong", net(-quote.charged))}
        {item("contracts.odds.need", percent(tier.break_even_bp))}
      </dl>
    </>
  );
}
