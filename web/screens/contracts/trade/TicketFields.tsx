import type { Ref } from "react";
import { stakeCoin } from "#core/contracts/stake.ts";
import { parseTier } from "#core/contracts/wireTier.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { Field } from "#ui/form/Field.tsx";
import { Stepper } from "#ui/form/Stepper.tsx";
import { usePercent } from "../format.ts";
import { listStakePresets, parseStakeOrZero, stepStake, type Tier } from "./stake.ts";
import { TierPicker } from "./TierPicker.tsx";
import { useStakeErrorMessage } from "./useStakeErrorMessage.ts";
import type { Ticket } from "./useTicket.ts";

/** How many orders a limited tier takes in a day, and how many of them are left. */
function Tries({ tier: { orders_per_day: count, orders_left_today: ordersLeft } }: { tier: Tier }) {
  const t = useText();
  if (count === null) return null;
  return (
    <>
      {t("contracts.ticket.tierTry", { count })}
      {ordersLeft === null ? null : (
        <span className="block text-ink">
          {t("contracts.ticket.left", { left: ordersLeft, count })}
        </span>
      )}
    </>
  );
}

/** The fields of an order besides its direction: how long it runs, and the stake. */
export function TicketFields({ ticket, box }: { ticket: Ticket; box?: Ref<HTMLDivElement> }) {
  const t = useText();
  const percent = usePercent();
  const problemMessage = useStakeErrorMessage();
  const { tiers, tier, typed, setTyped, quote, problem, available } = ticket;
  const limits = parseTier(tier);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <TierPicker tiers={tiers} value={tier.seconds} onChange={ticket.chooseTier} />
        <p className="mt-1.5 text-caption text-ink-faint">
          {t("contracts.ticket.tierLine", {
            rate: percent(tier.rate_bp),
            fee: percent(tier.fee_bp),
          })}{" "}
          <Tries tier={tier} />
        </p>
      </div>
      <Field
        label={t("contracts.ticket.stake")}
        aside={
          available === null ? null : (
            <>
              {t("contracts.ticket.available")} <Amount value={available} coin={stakeCoin} />
            </>
          )
        }
        error={problem ? problemMessage(problem, tier, quote, available) : undefined}
      >
        <div ref={box}>
          <AmountInput
            value={typed}
            onChange={setTyped}
            coin={stakeCoin}
            chips={listStakePresets(tier).map((quick) => ({ label: quick, value: quick }))}
            beside={
              <Stepper
                label={t("contracts.ticket.stake")}
                onStep={(step) => setTyped(stepStake(typed, step, tier))}
                canDecrease={parseStakeOrZero(typed) > limits.stakeMin}
                canIncrease={parseStakeOrZero(typed) < limits.stakeMax}
              />
            }
          />
        </div>
      </Field>
    </div>
  );
}
