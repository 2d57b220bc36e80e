import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";

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
  /** The log's verifier key, trusted on first use or given. */
  vkey: string;
  /** Real time of the first look, in milliseconds. */
  sinceMs: number;
  /** The newest tree that this witness cosigned. */
  cosigned: Tree & { note: string };
  /** The newest checkpoint that it read from the log itself. */
  observed: Tree & { note: string };
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
  return JSON.parse(text) as WitnessState;
}

/** Durable on return, and whole even if the machine stops in between. */
export async function writeDurably(file: string, text: string, mode = 0o600): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  const handle = await open(draft, "wx", mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  const directory = await open(dirname(file), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
