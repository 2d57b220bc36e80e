import { useEffect, useEffectEvent, useState } from "react";
import type { ContractDetails } from "#api/contracts.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { type StakeQuote, stakeCoin } from "#core/contracts/stake.ts";
import { useSheets } from "#web/features/session/sheets.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { useClassPause } from "#web/lib/useClassPause.ts";
import { useOnline } from "#web/lib/useOnline.ts";
import { type BlockReason, findBlockReason } from "./findBlockReason.ts";
import { parseStake, quoteTypedStake, type StakeInputError, type Tier } from "./stake.ts";
import { findReplacedTier, pickTier } from "./tiers.ts";

export type Direction = "up" | "down";

export interface Ticket {
  tiers: readonly Tier[];
  tier: Tier;
  /** The used-up tier that `tier` replaces; null if none was replaced. */
  replaced: Tier | null;
  chooseTier: (seconds: number) => void;
  typed: string;
  setTyped: (typed: string) => void;
  /** The consequences of the typed stake, allowed or not. */
  quote: StakeQuote;
  /** The error of the stake, once it is worth showing. */
  problem: StakeInputError | null;
  /** The available stake coin as a decimal string; null while unknown or signed out. */
  available: string | null;
  /** Why Up and Down cannot be pressed. */
  blocked: BlockReason | null;
  /** Up or Down was pressed. */
  press: (direction: Direction) => void;
  /** Fills in the same direction, tier and stake again, at current costs. */
  repeat: (order: { direction: Direction; tier_seconds: number; stake: string }) => void;
  /** The direction to be confirmed. */
  confirming: Direction | null;
  dismiss: () => void;
}

/**
 * The ticket of a contract: tier, stake, and the direction that was pressed. A press survives the
 * sign-in and the practice terms, and then asks for confirmation at the costs of that moment; only
 * a further press places the order. `showProblem` is called when the stake is not acceptable.
 */
export function useTicket(details: ContractDetails, showProblem: () => void): Ticket | null {
  const { tiers } = details.terms;
  const [chosenSeconds, setChosenSeconds] = useState<number | null>(null);
  const [text, setText] = useState("100");
  const [isChecked, setIsChecked] = useState(false);
  const available = useAvailable();
  const isOnline = useOnline();
  const isPaused = useConfig()?.world.paused ?? false;
  const isClassPaused = useClassPause()?.isReached ?? false;
  const tier = pickTier(tiers, chosenSeconds);
  const result = tier ? parseStake(text, tier, available) : null;
  const { pressed, press, confirming, dismiss } = usePressedDirection(() => {
    setIsChecked(true);
    if (result?.ok) return true;
    showProblem();
    return false;
  });
  if (!tier || !result) return null;
  const complains = !result.ok && (isChecked || result.error !== "empty");
  return {
    tiers,
    tier,
    replaced: findReplacedTier(tiers, chosenSeconds),
    chooseTier: setChosenSeconds,
    typed: text,
    setTyped: setText,
    quote: result.ok ? result.quote : quoteTypedStake(text, tier),
    problem: complains ? result.error : null,
    available,
    blocked: findBlockReason({
      isOnline,
      isPaused,
      isClassPaused,
      price: details.price,
      ordersLeft: tier.orders_left_today,
    }),
    press,
    repeat: ({ direction, tier_seconds, stake }) => {
      setChosenSeconds(tier_seconds);
      setText(stake);
      press(direction);
    },
    // A stake that stopped being acceptable in the meantime is not offered for confirmation.
    confirming: pressed === null && result.ok ? confirming : null,
    dismiss,
  };
}

/**
 * Carries a press through sign-in and practice terms to the confirmation. Closing either of them
 * drops it.
 */
function usePressedDirection(isAcceptable: () => boolean) {
  const { status, signIn, requireTerms } = useSession();
  const { open } = useSheets();
  const [pressed, setPressed] = useState<Direction | null>(null);
  const [confirming, setConfirming] = useState<Direction | null>(null);
  const carryOn = useEffectEvent(async (direction: Direction) => {
    setPressed(null);
    if (status !== "signed_in" || !isAcceptable()) return;
    if (await requireTerms()) setConfirming(direction);
  });
  const isWaiting = status === "loading" || open !== "none";
  useEffect(() => {
    // This runs after the effect, because it reacts to the press and not to this rendering.
    if (pressed !== null && !isWaiting) queueMicrotask(() => void carryOn(pressed));
  }, [pressed, isWaiting]);
  return {
    pressed,
    press: (direction: Direction) => {
      setConfirming(null);
      if (status === "signed_out") {
        if (!isAcceptable()) return;
        signIn();
      }
      setPressed(direction);
    },
    confirming,
    dismiss: () => setConfirming(null),
  };
}

function useAvailable(): string | null {
  const { status } = useSession();
  const wallet = useApiQuery(getWalletList, {}, { enabled: status === "signed_in" });
  if (status !== "signed_in" || !wallet.data) return null;
  return wallet.data.items.find(({ coin }) => coin === stakeCoin)?.available ?? "0";
}
