import { lazy, Suspense, useRef, useState } from "react";
import type { ContractDetails } from "#api/contracts.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { stakeCoin } from "#core/contracts/stake.ts";
import { tierOf } from "#core/contracts/wireTier.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Arrow } from "#ui/figures/Change.tsx";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { Field } from "#ui/form/Field.tsx";
import { Stepper } from "#ui/form/Stepper.tsx";
import { useOpened } from "#ui/overlay/useOpened.ts";
import { Section } from "#ui/Section.tsx";
import { SelfExclusion } from "#web/features/limits/SelfExclusion.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { usePercent } from "../format.ts";
import { MarketNote } from "./MarketNote.tsx";
import { Outcomes } from "./Outcomes.tsx";
import { quickStakes, quoteTyped, readStake, stepStake, typedStake } from "./stake.ts";
import { TierPicker } from "./TierPicker.tsx";
import { useStakeErrorMessage } from "./useStakeErrorMessage.ts";

const loadConfirm = () => import("./ConfirmOrderSheet.tsx");
const ConfirmOrderSheet = lazy(loadConfirm);

type Direction = "up" | "down";

/** The ticket: duration, stake, possible outcomes, then the two buttons. */
export function OrderForm({
  details,
  onPlaced,
}: {
  details: ContractDetails;
  onPlaced: (orderId: string) => void;
}) {
  const t = useText();
  const { tiers } = details.terms;
  const [seconds, setSeconds] = useState(tiers[0]?.seconds ?? 0);
  const percent = usePercent();
  useOpened(false, loadConfirm);
  const problemMessage = useStakeErrorMessage();
  const tier = tiers.find((item) => item.seconds === seconds) ?? tiers[0];
  const stake = useStake(tier);
  if (!tier || !stake) return null;
  const { typed, setTyped, read, shown, problem, available, box, direction, ...act } = stake;
  const limits = tierOf(tier);
  return (
    <Section kind="plain" title={t("contracts.ticket.title")} className="mt-3!">
      <div className="flex flex-col gap-4">
        <div>
          <TierPicker tiers={tiers} value={tier.seconds} onChange={setSeconds} />
          <p className="mt-1.5 text-caption text-ink-faint">
            {t("contracts.ticket.tierLine", {
              rate: percent(tier.rate_bp),
              fee: percent(tier.fee_bp),
            })}{" "}
            {tier.orders_per_day === null
              ? null
              : t("contracts.ticket.tierTry", { count: tier.orders_per_day })}
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
          error={problem ? problemMessage(problem, tier, shown, available) : undefined}
        >
          <div className="flex items-start gap-2">
            <div ref={box} className="min-w-0 flex-1">
              <AmountInput
                value={typed}
                onChange={setTyped}
                coin={stakeCoin}
                chips={quickStakes(tier).map((quick) => ({ label: quick, value: quick }))}
              />
            </div>
            <Stepper
              label={t("contracts.ticket.stake")}
              onStep={(step) => setTyped(stepStake(typed, step, tier))}
              canDecrease={typedStake(typed) > limits.stakeMin}
              canIncrease={typedStake(typed) < limits.stakeMax}
            />
          </div>
        </Field>
        <Outcomes details={details} tier={tier} quote={shown} />
        <MarketNote />
      </div>
      <Buttons details={details} onChoose={act.choose} />
      {direction && read.ok ? (
        <Suspense fallback={null}>
          <ConfirmOrderSheet
            details={details}
            tier={tier}
            quote={read.quote}
            direction={direction}
            onPlaced={onPlaced}
            onClose={act.dismiss}
          />
        </Suspense>
      ) : null}
    </Section>
  );
}

/** The stake as typed and as read, and the direction that is to be confirmed; null without a tier. */
function useStake(tier: ContractDetails["terms"]["tiers"][number] | undefined) {
  const { status, signIn } = useSession();
  const [typed, setTyped] = useState("100");
  const [checked, setChecked] = useState(false);
  const [direction, setDirection] = useState<Direction | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const available = useAvailable();
  if (!tier) return null;
  const read = readStake(typed, tier, available);
  const shown = read.ok ? read.quote : quoteTyped(typed, tier);
  const complains = !read.ok && (checked || read.problem !== "empty");
  const problem = complains ? read.problem : null;
  const choose = (next: Direction) => {
    setChecked(true);
    if (!read.ok) {
      // The error is shown at the box further up.
      box.current?.querySelector("input")?.focus();
      return;
    }
    if (status === "signed_in") setDirection(next);
    else signIn();
  };
  const dismiss = () => setDirection(null);
  return { typed, setTyped, read, shown, problem, available, box, direction, choose, dismiss };
}

/** Up and Down, below what they cost; or a sentence saying why they are missing. */
function Buttons({
  details,
  onChoose,
}: {
  details: ContractDetails;
  onChoose: (direction: Direction) => void;
}) {
  const t = useText();
  const { status } = useSession();
  const config = useConfig();
  if (config && !config.contracts_on) {
    return <p className="mt-4 text-small text-mind">{t("contracts.ticket.off")}</p>;
  }
  return (
    <SelfExclusion>
      <div className="mt-4">
        <div className="grid grid-cols-2 gap-3">
          {(["up", "down"] as const).map((direction) => (
            <Button
              key={direction}
              variant={direction === "up" ? "rise" : "fall"}
              block
              icon={<Arrow direction={direction === "up" ? 1 : -1} />}
              disabled={details.price === null}
              onClick={() => onChoose(direction)}
            >
              {t(`contracts.ticket.${direction}`)}
            </Button>
          ))}
        </div>
        {status === "signed_out" ? (
          <p className="mt-2 text-center text-caption text-ink-faint">
            {t("contracts.ticket.signInFirst")}
          </p>
        ) : null}
      </div>
    </SelfExclusion>
  );
}

/** The available stake coin as a decimal string; null while unknown or signed out. */
function useAvailable(): string | null {
  const { status } = useSession();
  const wallet = useApiQuery(getWalletList, {}, { enabled: status === "signed_in" });
  if (status !== "signed_in" || !wallet.data) return null;
  return wallet.data.items.find(({ coin }) => coin === stakeCoin)?.available ?? "0";
}
