import { sql } from "kysely";
import { type ActReceipt, actReceiptFormat } from "#core/operator/auditReceipt.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

/**
 * The receipt of an operator's act that touched the person, with the opening of what the log
 * commits to (docs/formats/audit.md); null if there is no such act. Throws `log.receipt_not_ready`
 * until its leaf is under a signed checkpoint.
 */
export async function buildActReceipt(
  {
    database: { db },
    fieldEncryption,
    world,
  }: Pick<AppContext, "database" | "fieldEncryption" | "world">,
  transparencyLog: Pick<TransparencyLog, "signedBy">,
  userId: string,
  eventId: string,
): Promise<ActReceipt | null> {
  const { rows } = await sql<{
    leaf: bigint;
    before_leaf: bigint | null;
    opening_encrypted: Buffer;
  }>`select leaf, before_leaf, opening_encrypted from person_audit_event
    where event_id = ${eventId} and user_id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const leaf = Number(row.leaf);
  const log = await transparencyLog.signedBy(leaf);
  const text = await fieldEncryption.decryptText(userId, row.opening_encrypted);
  // The key is gone: the account is being deleted.
  if (text === null) return null;
  if (!log) throw new ApiError("log.receipt_not_ready");
  const opening = JSON.parse(text) as Pick<ActReceipt, "salt" | "at_ms" | "act">;
  return {
    format: actReceiptFormat,
    practice: true,
    backing: "none",
    world: world.name,
    market: world.market,
    log,
    leaf,
    before_leaf: row.before_leaf === null ? null : Number(row.before_leaf),
    ...opening,
  };
}
