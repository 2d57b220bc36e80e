import { readFile } from "node:fs/promises";

/** A tree of the log: its size, and its root in base64. */
export interface Tree {
  size: number;
  root: string;
}

/** Why the witness no longer trusts the log. */
export interface Alarm {
  what: "forked" | "rolled_back" | "edited";
  detail: string;
  /** Unix time in milliseconds. */
  atMs: number;
  /** The signed notes that contradict each other, for others to check. */
  evidence: string[];
}

/** What a witness must not forget, and no more. */
export interface WitnessState {
  /** The log's verifier key: trusted on first use or given, and the newer one it handed over to. */
  vkey: string;
  /** Keys that handed over to it, newest first. */
  formerKeys: string[];
  /** Real time of the first look, in milliseconds. */
  sinceMs: number;
  /** The newest tree that this witness cosigned. */
  cosigned: Tree & { note: string };
  /** The newest checkpoint that it read from the log itself. */
  observed: Tree & { note: string };
  /** All leaves before this one were read at least once. */
  readTo: number;
  alarm: Alarm | null;
}

export async function readState(file: string): Promise<WitnessState | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw cause;
  }
  const added = { formerKeys: [], readTo: 0 };
  return { ...added, ...(JSON.parse(text) as Omit<WitnessState, keyof typeof added>) };
}
