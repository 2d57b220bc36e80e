import { sql } from "kysely";
import { decideIdentity, purgeAfterMs } from "#core/identity/review.ts";
import { toRealDay } from "#core/money/time.ts";
import { readSpecimens, specimenRetentionMs, toSpecimen } from "#server/identity/specimens.ts";
import { readDue, readToPurge, type VerificationRow } from "#server/identity/store.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Blobs } from "#server/platform/crypto/blobs.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";

/** Verifications decided or purged per run. */
const batchSize = 500;

/**
 * Decides every verification that is due; returns how many. Safe to run in several processes
 * concurrently.
 */
export async function reviewDue(ctx: AppContext): Promise<number> {
  const { database, clock, realClock, logger } = ctx;
  const dueRows = await readDue(database.db, clock.nowMs(), batchSize);
  const specimens = await readSpecimens(
    database.db,
    dueRows.map((row) => row.specimen_id),
  );
  let decidedCount = 0;
  for (const row of dueRows) {
    const specimen = specimens.get(row.specimen_id);
    if (!specimen) {
      logger.error({ verification: row.id }, "the specimen of a verification is missing");
      continue;
    }
    const identityDecision = decideIdentity(toSpecimen(specimen), Number(row.sent_at_ms));
    const [outcome, reason] = identityDecision.ok
      ? ["verified", null]
      : ["refused", identityDecision.reason];
    await database.db.transaction().execute(async (tx) => {
      const { rows } = await sql`
        update identity_verification set outcome = ${outcome}, reason = ${reason}, over_at_ms = ${clock.nowMs()},
          over_real_ms = ${realClock.nowMs()}
        where id = ${row.id} and outcome is null returning id`.execute(tx);
      await sql`update identity_specimen set kind_disclosed = true where id = ${row.specimen_id}`.execute(
        tx,
      );
      decidedCount += rows.length;
    });
  }
  return decidedCount;
}

export interface PurgeDeps {
  fieldEncryption: FieldEncryption;
  blobs: Blobs;
}

/**
 * Purges verifications decided 23 hours ago, and deletes week-old specimens and the draw counts of
 * past days; returns the number of verifications purged.
 */
export async function purgeDue(ctx: AppContext, deps: PurgeDeps): Promise<number> {
  const { database, realClock } = ctx;
  const realMs = realClock.nowMs();
  const dueRows = await readToPurge(database.db, realMs - purgeAfterMs, batchSize);
  for (const row of dueRows) await purgeVerifications(ctx, deps, row);
  // A verification under review still needs its specimen for the decision.
  await sql`delete from identity_specimen s where drawn_real_ms <= ${realMs - specimenRetentionMs}
    and not exists (select 1 from identity_verification v where v.specimen_id = s.id and v.outcome is null)`.execute(
    database.db,
  );
  // Only today's count is ever read.
  await sql`delete from identity_specimen_quota where day < ${toRealDay(realMs)}`.execute(
    database.db,
  );
  return dueRows.length;
}

/**
 * Purges one verification: its key, picture, fields and specimen, in that order; idempotent. The
 * key is the verification's own, because destroying the person's key would take everything else
 * with it. The key goes first and the receipt is written last, so a crash leaves a verification
 * that is purged again, and never a receipt for data that still exists.
 */
export async function purgeVerifications(
  { database, realClock }: AppContext,
  { fieldEncryption, blobs }: PurgeDeps,
  row: VerificationRow,
): Promise<void> {
  await fieldEncryption.destroyKey(row.id);
  if (row.image) await blobs.remove(row.image);
  await database.db.transaction().execute(async (tx) => {
    await sql`update identity_verification set fields_encrypted = null, image = null, purged_real_ms = ${realClock.nowMs()}
      where id = ${row.id} and purged_real_ms is null and outcome is not null`.execute(tx);
    // The specimen's fields are what the person typed. It is kept while another verification still
    // refers to it.
    await sql`delete from identity_specimen where id = ${row.specimen_id} and not exists (
      select 1 from identity_verification where specimen_id = ${row.specimen_id} and purged_real_ms is null)`.execute(
      tx,
    );
  });
}
