import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Bodies } from "#api/operator/publishing.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import { getSubject } from "#core/publishing/subject.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";
import { createLiveCache } from "#server/publishing/liveCache.ts";
import {
  insertDraft,
  insertVersion,
  readBySubject,
  writeChange,
} from "#server/publishing/store.ts";
import { type PublicationRow, software } from "#server/publishing/types.ts";
import { recordPublished } from "#server/transparency-log/auditChain.ts";

/** How long a listing answer is cached, in real milliseconds. */
const listedMs = 1_000;

/**
 * Serialises product publishing by operators and the software, so that neither overwrites the
 * other's latest change.
 */
export async function lockProducts(
  { database }: Pick<AppContext, "database">,
  tx: Tx,
): Promise<void> {
  const key = lockKey(database.schema, "publishing/products");
  await sql`select pg_advisory_xact_lock(${key})`.execute(tx);
}

/**
 * Products and texts that the software publishes itself: a new world's contracts, pools, machines
 * and first post are publications too, so that operators can find, change and unpublish them like
 * any other. The software does not touch one that an operator has decided about.
 */
export function createListings(ctx: AppContext) {
  const { db } = ctx.database;
  const live = createLiveCache(ctx);
  const listedCache = createTtlCache<string, boolean>(
    async (key) => {
      const [kind, ...subject] = key.split(":");
      return !(await readBySubject(db, kind as Kind, subject.join(":")))?.unpublished;
    },
    { ttlMs: listedMs, clock: ctx.realClock, shouldCache: () => true },
  );
  return {
    /** The live publications, newest first. */
    live: live.of,
    /** Call after something of a kind was published or unpublished here. */
    forget: live.invalidate,
    /** Returns true if a product may be offered: no operator delisted it. */
    isListed: (kind: Kind, subject: string) => listedCache.get(`${kind}:${subject}`),
    /**
     * Runs `publish` for a product that no operator decided about, exclusively and in one
     * transaction; null if one did.
     */
    ifNotOverridden: async <Result>(
      kind: Kind,
      subject: string,
      publish: (tx: Tx) => Promise<Result>,
    ): Promise<Result | null> =>
      db.transaction().execute(async (tx) => {
        await lockProducts(ctx, tx);
        return isOverridden(await readBySubject(tx, kind, subject)) ? null : publish(tx);
      }),
    /**
     * Records a publication of the software, unless it is already recorded verbatim or an operator
     * has decided about it.
     */
    recordSeeded: async <Name extends Kind>(
      kind: Name,
      body: Bodies[Name],
      onlySubject: string | null = null,
    ): Promise<boolean> => {
      const subject = onlySubject ?? getSubject(kind, body);
      if (subject === null) throw new Error(`a seeded ${kind} needs a subject or a name`);
      const text = JSON.stringify(body);
      // Without the lock: a writer takes it and checks again.
      if (isSettled(await readBySubject(db, kind, subject), text)) return false;
      const isSeeded = await db.transaction().execute(async (tx) => {
        await lockProducts(ctx, tx);
        return recordSeededIn(ctx, tx, kind, subject, text);
      });
      if (isSeeded) live.invalidate(kind);
      return isSeeded;
    },
  };
}

export type Listings = ReturnType<typeof createListings>;

async function recordSeededIn(
  { world, realClock }: Pick<AppContext, "world" | "realClock">,
  tx: Tx,
  kind: Kind,
  subject: string,
  text: string,
): Promise<boolean> {
  const nowMs = realClock.nowMs();
  const existing = await readBySubject(tx, kind, subject);
  if (isSettled(existing, text)) return false;
  const id = existing?.id ?? randomUUID();
  if (!existing) await insertDraft(tx, { id, kind, subject, draft: text, nowMs, by: software });
  const before = existing ?? (await readBySubject(tx, kind, subject))!;
  const version = before.version + 1;
  const publishedText = { publication: id, kind, subject, version, body: JSON.parse(text) };
  const leaf = await recordPublished(tx, world.name, publishedText, nowMs);
  const publisher = { publishedAtMs: nowMs, publishedBy: software };
  await insertVersion(tx, id, { version, body: text, ...publisher, leaf });
  const hasDraft = existing?.hasDraft === true;
  await writeChange(
    tx,
    id,
    { ...before, version, hasDraft },
    // A draft that an operator is writing stays theirs, with its schedule.
    { nowMs, by: hasDraft ? before.changedBy : software, scheduledBy: before.scheduledBy },
  );
  return true;
}

/** Returns true if it is recorded verbatim, or an operator decided about it. */
function isSettled(existing: PublicationRow | null, text: string): boolean {
  return isOverridden(existing) || existing?.live?.body === text;
}

/**
 * Returns true if an operator decided about it, in which case the software does not offer it
 * itself.
 */
function isOverridden(row: PublicationRow | null): boolean {
  if (!row) return false;
  return row.unpublished || (row.live !== null && row.live.publishedBy !== software);
}
