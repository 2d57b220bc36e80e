import { sql } from "kysely";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import {
  openNote,
  parseCheckpoint,
  parseVkey,
  splitNote,
} from "#core/transparency-log/checkpoint.ts";
import { cosignaturesOf } from "#core/transparency-log/witnesses/cosignature.ts";
import type { Find } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { verifySignature } from "#server/transparency-log/verifySignature.ts";

/** A signed tree: its size, and the root that its note states. */
export interface SignedTree {
  check: "log.checkpoint" | "log.cosigned";
  size: number;
  root: Uint8Array;
}

/**
 * Reads every stored note, of checkpoints and of what witnesses cosigned, and verifies its
 * signatures with the log's keys and the witnesses'. A note that says something else than its row,
 * or has a signature of nobody, is a finding.
 */
export async function readSignedTrees(tx: Tx, find: Find): Promise<SignedTree[]> {
  const keys = await sql<{ vkey: string; size: bigint | null }>`
    select vkey, null::bigint as size from log_key
    union all select vkey, size from log_witness`.execute(tx);
  const logKeys = keys.rows.flatMap(({ vkey, size }) =>
    size === null ? (parseVkey(vkey) ?? []) : [],
  );
  if (logKeys.length < keys.rows.filter(({ size }) => size === null).length)
    find("log.key", "one of the log's keys cannot be read");
  const witnesses = keys.rows.flatMap(({ vkey, size }) => (size === null ? [] : vkey));
  const { rows } = await sql<{
    check: SignedTree["check"];
    size: bigint;
    root: Buffer | null;
    note: string;
  }>`
    select 'log.checkpoint' as check, size, root, note from log_checkpoint
    union all select 'log.cosigned', size, null, note from log_cosigned`.execute(tx);
  const trees: SignedTree[] = [];
  for (const { check, size, root, note } of rows) {
    const parts = splitNote(note);
    const stated = parts && parseCheckpoint(parts.text);
    const opened = openNote(note, logKeys, verifySignature);
    const cosigned =
      check === "log.cosigned" ? cosignaturesOf(note, witnesses, verifySignature) : [];
    const isSigned =
      opened.ok && parts?.signatures.length === opened.signers.length + cosigned.length;
    const same =
      stated?.size === Number(size) && (!root || bytesToHex(stated.root) === bytesToHex(root));
    if (!isSigned || !same)
      find(check, `the note of size ${size} says something else than its row, or is not signed`);
    else trees.push({ check, size: Number(size), root: stated.root });
  }
  return trees;
}
