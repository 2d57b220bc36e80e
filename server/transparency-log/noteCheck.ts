import { sql } from "kysely";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import {
  type Checkpoint,
  type NoteKey,
  openNote,
  parseCheckpoint,
  parseVkey,
  splitNote,
} from "#core/transparency-log/checkpoint.ts";
import { findCosignatures, parseWitnessKey } from "#core/transparency-log/witnesses/cosignature.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { verifySignature } from "#server/transparency-log/verifySignature.ts";
import { secondCosignatureBytes } from "#server/transparency-log/witnesses/witnesses.ts";

/** The key's id before a signature. */
const idBytes = 4;

/** A signed tree: its size, and the root that its note states. */
export interface SignedTree {
  check: "log.checkpoint" | "log.cosigned";
  size: number;
  root: Uint8Array;
}

interface LogKeys {
  origin: string | null;
  /** The size from which this log, rather than one that it succeeds, is signed. */
  base: number;
  keys: { key: NoteKey; fromSize: number }[];
  witnesses: string[];
}

/**
 * Reads every stored note, of checkpoints and of what witnesses cosigned, and verifies its
 * signatures with the key that the log had at that size and with the witnesses'. A note that
 * differs from its row, or has an unknown signature, is a finding. The keys of a log that this one
 * succeeds no longer exist, so its notes are compared with the tree alone.
 */
export async function readSignedTrees(tx: Tx, report: ReportFinding): Promise<SignedTree[]> {
  const logKeys = await readLogKeys(tx, report);
  const { rows } = await sql<{
    check: SignedTree["check"];
    size: bigint;
    root: Buffer | null;
    note: string;
  }>`
    select 'log.checkpoint' as check, size, root, note from log_checkpoint
    union all select 'log.cosigned', size, null, note from log_cosigned_checkpoint`.execute(tx);
  const trees: SignedTree[] = [];
  for (const { check, size, root, note } of rows) {
    const parts = splitNote(note);
    const checkpoint = parts && parseCheckpoint(parts.text);
    const matches =
      checkpoint?.size === Number(size) &&
      (!root || bytesToHex(checkpoint.root) === bytesToHex(root));
    if (!matches || (checkpoint.size > logKeys.base && !isSigned(note, checkpoint, logKeys)))
      report(check, `the note of size ${size} says something else than its row, or is not signed`);
    else trees.push({ check, size: Number(size), root: checkpoint.root });
  }
  return trees;
}

async function readLogKeys(tx: Tx, report: ReportFinding): Promise<LogKeys> {
  const { rows: heads } = await sql<{ origin: string | null; base: bigint }>`
    select origin, coalesce((select max(leaf) from log_leaf where kind = 14), 0) as base
    from log_head`.execute(tx);
  const { origin, base } = heads[0] ?? { origin: null, base: 0n };
  const { rows } = await sql<{ vkey: string; from_size: bigint }>`
    select vkey, from_size from log_key order by from_size`.execute(tx);
  const keys = rows.flatMap(({ vkey, from_size: fromSize }) => {
    const key = parseVkey(vkey);
    return key?.name === origin ? { key, fromSize: Number(fromSize) } : [];
  });
  if (keys.length < rows.length || (rows[0] && rows[0].from_size !== base))
    report("log.key", "the log's keys are not those of its name, from its first leaf on");
  const witnesses = await sql<{ vkey: string }>`select vkey from log_witness`.execute(tx);
  return { origin, base: Number(base), keys, witnesses: witnesses.rows.map(({ vkey }) => vkey) };
}

/** Signed by the key of its size, and only by known keys. */
function isSigned(note: string, { origin, size }: Checkpoint, logKeys: LogKeys): boolean {
  const keys = logKeys.keys.map(({ key }) => key);
  const result = openNote(note, keys, verifySignature);
  const since = logKeys.keys.findLast(({ fromSize }) => fromSize < size)?.fromSize;
  const inForce = logKeys.keys
    .filter(({ fromSize }) => fromSize === since)
    .map(({ key }) => key.id);
  const cosigned = findCosignatures(note, logKeys.witnesses, verifySignature);
  const names = logKeys.witnesses.map((vkey) => parseWitnessKey(vkey)?.name);
  const signatures = splitNote(note)?.signatures ?? [];
  // A witness's second signature is of another type, which only its readers verify.
  const second = signatures.filter(
    ({ name, signature }) =>
      names.includes(name) && signature.length === secondCosignatureBytes - idBytes,
  );
  return (
    result.ok &&
    origin === logKeys.origin &&
    result.signers.some(({ id }) => inForce.includes(id)) &&
    signatures.length === result.signers.length + cosigned.length + second.length
  );
}
