import { randomBytes } from "node:crypto";
import { codeBytes, hashCode, writeCode } from "#core/operator/code.ts";
import { appendAuditEvents } from "#server/operator/audit/events.ts";
import { type NotifyDeps, notifyIn } from "#server/operator/notifyPerson.ts";
import { listOperators, lockOperators } from "#server/operator/operatorRows.ts";
import type { AppContext } from "#server/platform/context.ts";
import { resetFactors } from "./factors.ts";

export type CommandContext = Pick<
  AppContext,
  "database" | "realClock" | "fieldEncryption" | "messages"
> & { world: { name: string } };

/**
 * Resets an operator's second factors from the server's command line; null if the user is not an
 * operator. Returns the one-time code that setting up new ones takes. The audit names the operator
 * themself, because the machine's account is not one; the event says how it was done, and the
 * operator reads it in their records.
 */
export async function resetByCommand(
  ctx: CommandContext,
  deps: NotifyDeps,
  userId: string,
): Promise<{ code: string; expiresAtMs: number } | null> {
  const code = writeCode(randomBytes(codeBytes));
  return ctx.database.db.transaction().execute(async (tx) => {
    await lockOperators(tx, ctx.database);
    const operator = (await listOperators(tx)).find((row) => row.userId === userId);
    if (!operator) return null;
    const { operatorId } = operator;
    const params = { operatorId, codeHash: Buffer.from(hashCode(code)!) };
    const expiresAtMs = await resetFactors(tx, params, ctx.realClock.nowMs());
    await appendAuditEvents(ctx, notifyIn(ctx, deps), tx, operator, [
      { what: "operators.factors_reset_by_command", target: operatorId, touches: { userId } },
    ]);
    return { code, expiresAtMs };
  });
}
