import { useId } from "react";
import { useText } from "#i18n/useText.ts";
import { useDuration, usePercent } from "../format.ts";
import type { Tier } from "./stake.ts";
import { isUsedUp } from "./tiers.ts";

/** The tiers side by side: duration, and what a win earns. */
export function TierPicker({
  tiers,
  value,
  onChange,
}: {
  tiers: readonly Tier[];
  value: number;
  onChange: (seconds: number) => void;
}) {
  const t = useText();
  const duration = useDuration();
  const percent = usePercent();
  const name = useId();
  const labelId = useId();
  return (
    <fieldset aria-labelledby={labelId}>
      <p id={labelId} className="mb-1.5 text-small font-strong">
        {t("contracts.ticket.tier")}
      </p>
      <div className="grid auto-cols-fr grid-flow-col gap-1.5">
        {tiers.map((tier) => (
          <label
            key={tier.seconds}
            className="relative flex min-h-14 flex-col items-center justify-center rounded-dock border border-line px-1 text-center transition-colors has-checked:border-ink has-checked:bg-leaf has-disabled:opacity-45 has-focus-visible:outline-2 has-focus-visible:outline-signal-ink"
          >
            <input
              type="radio"
              name={name}
              checked={tier.seconds === value}
              disabled={isUsedUp(tier)}
              onChange={() => onChange(tier.seconds)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <span className="text-small font-strong whitespace-nowrap">
              {duration(tier.seconds)}
            </span>
            <span className="text-caption text-ink-soft">
              <span className="sr-only">
                {t("contracts.ticket.tierPays", { percent: percent(tier.rate_bp) })}
              </span>
              <span aria-hidden="true">{percent(tier.rate_bp)}</span>
            </span>
            <OrdersLeft tier={tier} />
          </label>
        ))}
      </div>
      {tiers.some(isUsedUp) ? (
        <p className="mt-1.5 text-caption text-warning">{t("contracts.blocked.usedUp")}</p>
      ) : null}
    </fieldset>
  );
}

/** How many orders of a limited tier are left today. */
function OrdersLeft({
  tier: { orders_left_today: ordersLeft, orders_per_day: count },
}: {
  tier: Tier;
}) {
  const t = useText();
  if (ordersLeft === null || count === null) return null;
  return (
    <span className="text-caption whitespace-nowrap text-ink-soft">
      <span className="sr-only">{t("contracts.ticket.left", { left: ordersLeft, count })}</span>
      <span aria-hidden="true">{t("contracts.ticket.leftShort", { left: ordersLeft })}</span>
    </span>
  );
}
