import { sql } from "kysely";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { toRealDay } from "#core/money/time.ts";
import { getSendMin, newRecipientsPerDay } from "#core/send/send.ts";
import type { Addresses } from "#server/addresses/addresses.ts";
import { requireAmount } from "#server/addresses/amount.ts";
import { lockCurrentAttempts } from "#server/addresses/currentAttempts.ts";
import { requireDestination } from "#server/addresses/destination.ts";
import { requirePosted } from "#server/ledger/keys.ts";
import { quotaKey } from "#server/ledger/quotas.ts";
import { isPostedBefore } from "#server/ledger/transact.ts";
import type { Ledger, LimitDelta } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { writeSend } from "#server/send/store.ts";
import { type SendOwner, type SendParams, type SendRow, sendKind } from "#server/send/types.ts";

const triesMax = 5;

/**
 * The owner of an address, who must not be the sender; throws the ApiError that names the fault.
 */
export async function requireRecipient(
  addresses: Addresses,
  userId: string,
  { coin, address: text }: Pick<SendParams, "coin" | "address">,
) {
  const to = requireDestination(coin, text);
  const recipient =
    addresses.own(userId, to.network) === to.address ? userId : await addresses.ownerOf(to.address);
  if (recipient === userId) throw new ApiError("send.to_yourself");
  if (recipient === null) throw new ApiError("send.recipient_unknown");
  return { ...to, userId: recipient };
}

/**
 * Sends: moves the amount from the person's attempt to the recipient's current one, immediately,
 * under the journal `id`, or throws an ApiError and changes nothing. Returns null if it was sent
 * before under this id; the existing send is the answer.
 */
export function createSendExecution(ctx: AppContext, ledger: Ledger, addresses: Addresses) {
  return async (
    owner: SendOwner,
    params: SendParams,
    id: string,
    bodyHash: Uint8Array,
  ): Promise<SendRow | null> => {
    const { coin } = params;
    const to = await requireRecipient(addresses, owner.userId, params);
    const amount = requireAmount(coin, params.amount);
    if (amount < getSendMin(coin)) {
      throw new ApiError("send.too_small", {
        coin,
        minimum: formatDecimal(getSendMin(coin), coinScale(coin)),
      });
    }
    // So that the recipient can send back.
    await addresses.register(owner.userId);
    let toAttempt = await currentAttempt(ctx, to.userId);
    const limits = await strangerLimits(ctx, ledger, owner.userId, to.userId);
    for (let attempt = 1; attempt <= triesMax; attempt += 1) {
      const [from, target] = await Promise.all([
        ledger.account(owner, "wallet", coin),
        ledger.account({ userId: to.userId, attemptId: toAttempt }, "wallet", coin),
      ]);
      const outcome = await ledger.transact(async (tx) => {
        const current = await lockCurrentAttempts(tx, [owner.userId, to.userId]);
        if (current.get(owner.userId) !== owner.attemptId)
          throw new ApiError("attempts.not_current");
        const recipientAttemptId = current.get(to.userId);
        if (recipientAttemptId === undefined) throw new ApiError("send.recipient_unknown");
        // The recipient has started over: their new attempt gets it.
        if (recipientAttemptId !== toAttempt) return recipientAttemptId;
        if (await isPostedBefore(tx, id, bodyHash)) return null;
        const atMs = ctx.clock.nowMs();
        const row: SendRow = {
          journal_id: id,
          user_id: owner.userId,
          attempt_id: owner.attemptId,
          to_user_id: to.userId,
          to_attempt_id: recipientAttemptId,
          coin,
          amount,
          network: to.network,
          from_address: addresses.own(owner.userId, to.network),
          to_address: to.address,
          at_ms: BigInt(atMs),
        };
        const legs = [
          { account: from, amount: -amount },
          { account: target, amount },
        ];
        const journal = { id, kind: sendKind, bodyHash, legs, limits };
        const [result] = await ledger.postIn(tx, [journal], atMs);
        if (result!.outcome === "limit_full") {
          throw new ApiError("send.too_many_strangers", { most: newRecipientsPerDay });
        }
        requirePosted(result!);
        await writeSend(tx, row);
        return row;
      });
      if (typeof outcome === "string") {
        toAttempt = outcome;
        continue;
      }
      return outcome;
    }
    throw new ApiError("server.unavailable");
  };
}

/** A send to someone who has never sent this person anything counts against the day's limit. */
async function strangerLimits(
  { database, realClock }: AppContext,
  ledger: Ledger,
  userId: string,
  toUserId: string,
): Promise<LimitDelta[]> {
  const { rows } = await sql`
    select from send_recipient r
      join practice_address a on a.address = r.address and a.user_id = ${userId}
    where r.user_id = ${toUserId} limit 1`.execute(database.db);
  if (rows.length > 0) return [];
  const key = quotaKey(
    "send.strangers",
    await ledger.quotaId(userId),
    toRealDay(realClock.nowMs()),
  );
  return [{ key, delta: 1n, cap: BigInt(newRecipientsPerDay) }];
}

async function currentAttempt(ctx: AppContext, userId: string): Promise<string> {
  const { rows } = await sql<{ attempt_id: string }>`
    select attempt_id from user_attempt where user_id = ${userId} order by number desc limit 1`.execute(
    ctx.database.db,
  );
  if (!rows[0]) throw new ApiError("send.recipient_unknown");
  return rows[0].attempt_id;
}
