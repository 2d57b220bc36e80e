import { orderHash } from "#core/contracts/order.ts";
import type { Direction } from "#core/contracts/settle.ts";
import { getWindowSeconds } from "#core/contracts/settlementWindow.ts";
import type { Tier } from "#core/contracts/terms.ts";
import type { Contract } from "#server/contracts/types.ts";
import type { AppContext } from "#server/platform/context.ts";

/** An accepted order as it will be written, except for its time. */
export interface OrderDraft {
  userId: string;
  attemptId: string;
  account: bigint;
  contract: Contract;
  direction: Direction;
  tier: Tier;
  stake: bigint;
  fee: bigint;
  salt: string;
  lossDay: number | null;
  /**
   * True if the person ever set a limit for themselves; if so, limits are checked again on
   * acceptance.
   */
  limited: boolean;
}

/** The hash of an order accepted at that time. */
export function hashOrderDraft(
  { world }: Pick<AppContext, "world">,
  id: string,
  draft: OrderDraft,
  acceptedAtMs: number,
): string {
  const { contract, tier } = draft;
  return orderHash({
    world: world.name,
    market: world.market,
    orderId: id,
    attemptId: draft.attemptId,
    contractId: contract.id,
    symbol: contract.symbol,
    direction: draft.direction,
    tierSeconds: tier.seconds,
    windowSeconds: getWindowSeconds(tier.seconds),
    rangeBp: tier.rangeBp,
    rateBp: tier.rateBp,
    feeBp: tier.feeBp,
    stake: draft.stake,
    fee: draft.fee,
    termsHash: contract.terms.termsHash,
    acceptedAtMs,
    salt: draft.salt,
  });
}
