import { sql } from "kysely";
import { type ErrorName, errors } from "#api/errors.ts";
import type { PostOutcome } from "#core/ledger/outcomes.ts";
import type { KeyState, Keys, PostedAt, PostResult } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { batchReads } from "#server/platform/db/batchReads.ts";
import type { Database } from "#server/platform/db/database.ts";

interface Row {
  id: string;
  posted: boolean;
  body_hash: Buffer;
  outcome: PostOutcome | null;
  error: string | null;
  data: Record<string, string | number> | null;
}

/** Latest postings whose `PostedAt` is remembered: an acknowledgement asks right after the posting. */
const postedMax = 20_000;

/** The state of keys in the database, and `notePosted`, which spares reading it back. */
export function createKeys({ db }: Database): Keys & { notePosted(result: PostResult): void } {
  const latest = new Map<string, PostedAt>();
  const find = batchReads<string, KeyState>(async (ids) => {
    const { rows } = await sql<Row>`
      select id, true as posted, body_hash, null as outcome, null as error, null::jsonb as data
      from journal where id = any(${ids}::uuid[])
      union all
      select id, false, body_hash, outcome, error, data from used_key where id = any(${ids}::uuid[])`.execute(
      db,
    );
    const states = new Map<string, KeyState>();
    for (const row of rows) {
      // A posting takes precedence over a stored error.
      if (row.posted) states.set(row.id, { state: "posted", bodyHash: row.body_hash });
      else if (!states.has(row.id))
        states.set(row.id, {
          state: "refused",
          bodyHash: row.body_hash,
          apiError: apiErrorOfRow(row),
        });
    }
    return states;
  });
  const postedAt = batchReads<string, PostedAt>(async (ids) => {
    const { rows } = await sql<{ id: string; at_ms: string; tree_size: string }>`
      select id, at_ms::text, tree_size::text from journal where id = any(${ids}::uuid[])`.execute(
      db,
    );
    return new Map(
      rows.map((row) => [row.id, { atMs: Number(row.at_ms), treeSize: Number(row.tree_size) }]),
    );
  });
  return {
    find: async (id) => (await find(id)) ?? null,
    postedAt: async (id) => latest.get(id) ?? (await postedAt(id)) ?? null,
    notePosted: ({ id, outcome, atMs, treeSize }) => {
      if (outcome !== "posted") return;
      if (latest.size >= postedMax) latest.clear();
      latest.set(id, { atMs, treeSize });
    },
    remember: async (id, bodyHash, { error, data }) => {
      const { rows } = await sql<{ kept: boolean }>`
        select record_refusal(${id}, ${Buffer.from(bodyHash)}, ${error}, ${data === null ? null : JSON.stringify(data)}::jsonb)
          as kept`.execute(db);
      return rows[0]!.kept;
    },
  };
}

function apiErrorOfRow({ error, outcome, data }: Row): ApiError {
  if (error !== null && Object.hasOwn(errors, error)) return new ApiError(error as ErrorName, data);
  return toOutcomeApiError(outcome ?? "key_refused");
}

/**
 * Maps an outcome other than `posted` or `duplicate` to its ApiError. Domains map `limit_full`
 * themselves.
 */
export function toOutcomeApiError(outcome: PostOutcome): ApiError {
  if (outcome === "overdraft") return new ApiError("ledger.overdraft");
  if (outcome === "body_changed") return new ApiError("idempotency.body_changed");
  return new ApiError("ledger.refused");
}

/** Throws the ApiError of a journal that was not posted. */
export function requirePosted({ outcome }: PostResult): void {
  if (outcome !== "posted" && outcome !== "duplicate") throw toOutcomeApiError(outcome);
}
