import { readFile } from "node:fs/promises";
import { emptyRoot } from "../log/merkle.ts";
import { parseVerifierKey } from "../log/note.ts";
import { type LastLeaves, noLeaves } from "./lastLeaves.ts";

/** A tree of the log: its size, and its root in base64. */
export interface Tree {
  size: number;
  root: string;
}

/** A tree with the signed note that states it; the note is empty before the first. */
export interface SeenTree extends Tree {
  note: string;
}

/** Why the witness no longer trusts the log. */
export interface Alarm {
  what: "forked" | "rolled_back" | "edited" | "accounts_fell" | "succeeded";
  detail: string;
  /** Unix time in milliseconds. */
  atMs: number;
  /** The signed notes that contradict each other, for others to check. */
  evidence: string[];
  /** The verifier key of the log that succeeded this one, if it did. */
  successor?: string;
}

/** The state that a witness must store, and no more. */
export interface WitnessState {
  /** The log's verifier key: trusted on first use or given, and the newer one it handed over to. */
  vkey: string;
  /** Keys that handed over to it, newest first. */
  formerKeys: string[];
  /** Real time of the first look, in milliseconds. */
  sinceMs: number;
  /** The newest tree that this witness cosigned. */
  cosigned: SeenTree;
  /** The newest checkpoint that it read from the log itself. */
  observed: SeenTree;
  /** All leaves before this one were read at least once. */
  readTo: number;
  /** The last statements of the leaves before that one. */
  last: LastLeaves;
  alarm: Alarm | null;
}

/** The state of a witness that has seen only the log's key. */
export function createState(vkey: string, sinceMs: number): WitnessState {
  const emptyTree = { size: 0, root: emptyRoot.toString("base64"), note: "" };
  const [cosigned, observed] = [emptyTree, emptyTree];
  const progress = { readTo: 0, last: noLeaves };
  return { vkey, formerKeys: [], sinceMs, cosigned, observed, ...progress, alarm: null };
}

/**
 * The state of the same witness following the successor of the log that ended. Null if there is no
 * such successor.
 */
export function createSuccessorState(
  { alarm }: WitnessState,
  origin: string,
  nowMs: number,
): WitnessState | null {
  const vkey = alarm?.what === "succeeded" ? alarm.successor : undefined;
  return vkey && parseVerifierKey(vkey).name === origin ? createState(vkey, nowMs) : null;
}

export async function readState(file: string): Promise<WitnessState | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const witnessState = JSON.parse(text) as WitnessState;
  // Without the last statements, the leaves are read again to find them.
  const progress = witnessState.last === undefined ? { readTo: 0, last: noLeaves } : {};
  return { ...witnessState, formerKeys: witnessState.formerKeys ?? [], ...progress };
}
