import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { base64ToBytes } from "#core/transparency-log/bytes.ts";
import { splitNote } from "#core/transparency-log/checkpoint.ts";
import type { SeedSource } from "#core/transparency-log/seedLeaf.ts";
import { findCosignatures } from "#core/transparency-log/witnesses/cosignature.ts";
import {
  meetsQuorum,
  type PolicyWitness,
  parseWitnessPolicy,
  type WitnessPolicy,
} from "#core/transparency-log/witnesses/witnessPolicy.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { Job } from "#server/platform/jobs.ts";
import { StartError } from "#server/platform/startError.ts";
import type { StoredCheckpoint } from "#server/transparency-log/store.ts";
import { verifySignature } from "#server/transparency-log/verifySignature.ts";
import { submitCheckpoint } from "#server/transparency-log/witnesses/submit.ts";

/** Real time between two rounds. */
const restSeconds = 15;

/** A witness of the policy as the instance knows it. */
interface WitnessStanding {
  name: string;
  vkey: string;
  /** Real time of its first and of its latest cosignature; null before the first. */
  sinceMs: number | null;
  atMs: number | null;
  size: number;
  /** Why the latest round gave none; null when it did. */
  error: string | null;
}

interface CosignedCheckpoint {
  size: number;
  /** The signed note with the cosignatures. */
  note: string;
  atMs: number;
}

export interface Witnesses {
  /** The newest cosignature of a witness of the policy; null when there is none. */
  newest(db: Db | Tx): Promise<Extract<SeedSource, { kind: "witness" }> | null>;
  jobs: readonly Job[];
  /** Asks every witness of the policy once. */
  round(): Promise<void>;
  standings(): Promise<WitnessStanding[]>;
  /** The newest checkpoint with cosignatures that make the policy's quorum; null when none has. */
  cosigned(): Promise<CosignedCheckpoint | null>;
}

interface WitnessDeps {
  checkpoint(): Promise<StoredCheckpoint | null>;
  consistency(from: number, to: number): Promise<Uint8Array[]>;
}

/**
 * Submits checkpoints to the witnesses of the policy and keeps their cosignatures. A round waits
 * only for witnesses and the database, and nothing waits for it.
 */
export function createWitnesses(ctx: AppContext, log: WitnessDeps): Witnesses {
  const { db } = ctx.database;
  const policy = readPolicy(ctx.config.witnessPolicy);
  const round = async () => {
    const checkpoint = await log.checkpoint();
    if (!policy || !checkpoint) return;
    const reachable = policy.witnesses.filter(hasUrl);
    const answers = await Promise.all(
      reachable.map(async (witness) => ({ witness, line: await submitTo(witness, checkpoint) })),
    );
    const cosigned = answers.filter(({ line }) => line !== null);
    if (cosigned.length === 0) return;
    if (!meetsQuorum(policy, new Set(cosigned.map(({ witness }) => witness.name)))) return;
    const note = `${checkpoint.note}${cosigned.map(({ line }) => `${line}\n`).join("")}`;
    await sql`select log_record_cosigned(${checkpoint.size}::bigint, ${note}, ${ctx.realClock.nowMs()}::bigint)`.execute(
      db,
    );
  };
  /** The witness's verified cosignature on the checkpoint; null when it gave none. */
  const submitTo = async (
    witness: PolicyWitness & { url: string },
    checkpoint: StoredCheckpoint,
  ): Promise<string | null> => {
    let oldSize = (await readStanding(witness.vkey))?.size ?? 0;
    // Once more if the witness has cosigned another size than is known here.
    for (let tries = 0; tries < 2; tries += 1) {
      if (oldSize > checkpoint.size) return fail(witness, "has cosigned a larger log than this");
      const proof = oldSize === 0 ? [] : await log.consistency(oldSize, checkpoint.size);
      const answer = await submitCheckpoint(witness, { oldSize, proof, note: checkpoint.note });
      if ("error" in answer) return fail(witness, answer.error);
      if ("size" in answer) {
        oldSize = answer.size;
        continue;
      }
      const isOwn = (line: string) =>
        findCosignatures(`${checkpoint.note}${line}\n`, [witness.vkey], verifySignature).length ===
        1;
      const line = answer.lines.find(isOwn);
      if (line === undefined) return fail(witness, "gives no valid cosignature");
      await note(witness, checkpoint.size);
      const second = answer.lines.find((line) => isSecondCosignature(witness, line));
      return second === undefined ? line : `${line}\n${second}`;
    }
    return fail(witness, "does not accept its own size");
  };
  const fail = async (witness: PolicyWitness, error: string): Promise<null> => {
    const before = await readStanding(witness.vkey);
    if (before?.error !== error)
      ctx.logger.warn({ witness: witness.name, error }, "a witness did not cosign");
    await sql`
      insert into log_witness (vkey, name, error) values (${witness.vkey}, ${witness.name}, ${error})
      on conflict (vkey) do update set name = excluded.name, error = excluded.error`.execute(db);
    return null;
  };
  const note = async (witness: PolicyWitness, size: number) => {
    const nowMs = ctx.realClock.nowMs();
    await sql`
      insert into log_witness (vkey, name, size, since_ms, at_ms)
      values (${witness.vkey}, ${witness.name}, ${size}, ${nowMs}, ${nowMs})
      on conflict (vkey) do update set name = excluded.name, size = excluded.size, error = null,
        since_ms = coalesce(log_witness.since_ms, excluded.since_ms), at_ms = excluded.at_ms`.execute(
      db,
    );
  };
  const readStandings = async (): Promise<WitnessStanding[]> => {
    const { rows } = await sql<{
      vkey: string;
      name: string;
      size: bigint;
      since_ms: bigint | null;
      at_ms: bigint | null;
      error: string | null;
    }>`select vkey, name, size, since_ms, at_ms, error from log_witness order by name`.execute(db);
    return rows.map(({ vkey, name, size, since_ms, at_ms, error }) => ({
      vkey,
      name,
      size: Number(size),
      sinceMs: since_ms === null ? null : Number(since_ms),
      atMs: at_ms === null ? null : Number(at_ms),
      error,
    }));
  };
  const readStanding = async (vkey: string) =>
    (await readStandings()).find((standing) => standing.vkey === vkey) ?? null;
  const readCosigned = async (dbOrTx: Db | Tx = db): Promise<CosignedCheckpoint | null> => {
    const { rows } = await sql<{ size: bigint; note: string; at_ms: bigint }>`
      select size, note, at_ms from log_cosigned_checkpoint order by size desc limit 1`.execute(
      dbOrTx,
    );
    const row = rows[0];
    return row ? { size: Number(row.size), note: row.note, atMs: Number(row.at_ms) } : null;
  };
  const job: Job = { name: "log.witness", everySeconds: restSeconds, run: round };
  return {
    jobs: policy ? [job] : [],
    round,
    newest: async (dbOrTx) => {
      const cosigned = await readCosigned(dbOrTx);
      const checkpoint = cosigned && splitNote(cosigned.note);
      if (!policy || !cosigned || !checkpoint) return null;
      const [, , root = ""] = checkpoint.text.split("\n");
      const vkeys = policy.witnesses.map(({ vkey }) => vkey);
      const cosignatures = findCosignatures(cosigned.note, vkeys, verifySignature);
      const [latest] = cosignatures.sort((a, b) => b.atMs - a.atMs);
      const bytes = base64ToBytes(root);
      if (!latest || !bytes) return null;
      const { size } = cosigned;
      const seconds = latest.atMs / 1_000;
      return {
        kind: "witness",
        vkey: latest.vkey,
        size,
        root: bytes,
        seconds,
        signature: latest.signature,
      };
    },
    standings: async () => {
      const policyKeys = new Set(policy?.witnesses.map(({ vkey }) => vkey));
      return (await readStandings()).filter(({ vkey }) => policyKeys.has(vkey));
    },
    cosigned: readCosigned,
  };
}

/** Key id, time and signature of an ML-DSA-44 cosignature (https://c2sp.org/tlog-cosignature). */
export const secondCosignatureBytes = 4 + 8 + 2_420;

/**
 * Returns true if a line has the form of a second cosignature by the same witness, of the type
 * ML-DSA-44. It is passed on unverified, since the policy names no such key: a client that counts
 * it has the key.
 */
function isSecondCosignature({ key }: PolicyWitness, line: string): boolean {
  const match = /^\u2014 (\S+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line);
  return match?.[1] === key.name && base64ToBytes(match[2]!)?.length === secondCosignatureBytes;
}

function readPolicy(path: string | null): WitnessPolicy | null {
  if (path === null) return null;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new StartError(`WITNESS_POLICY is wrong: the file ${path} cannot be read.`);
  }
  const result = parseWitnessPolicy(text);
  if (!result.ok)
    throw new StartError(
      `WITNESS_POLICY is wrong: line ${result.line} of ${path}: ${result.error}.`,
    );
  return result.policy;
}

function hasUrl(witness: PolicyWitness): witness is PolicyWitness & { url: string } {
  return witness.url !== null;
}
