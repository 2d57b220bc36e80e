import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { MismatchError } from "./bytes.ts";
import type { LogReader } from "./logReader.ts";
import { type Checkpoint, isSignedBy, readCheckpoint, readVerifierKey } from "./note.ts";

/**
 * What the verifier stores between runs: for each log, the last checkpoint it proved and the key it
 * trusts. This exposes a log that was truncated, changed or replaced.
 */
interface StoredCheckpoint {
  vkey: string;
  checkpoint: string;
}

type Memory = Record<string, StoredCheckpoint>;

function load(file: string): Memory {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw cause;
  }
  try {
    return JSON.parse(text) as Memory;
  } catch {
    throw new MismatchError(
      "memory",
      "memory_unreadable",
      `${file} is no JSON; move it away to begin anew`,
    );
  }
}

/** The trusted key of this log; null for a log never seen. */
export function trustedKey(file: string, origin: string): string | null {
  return load(file)[origin]?.vkey ?? null;
}

/**
 * Step 3: compares the log with the stored checkpoint and, if it extends it, stores the new one.
 * Resolves with a sentence. A changed key is accepted only if the stored key signed the new
 * checkpoint too.
 */
export async function followLog(file: string, reader: LogReader, vkey: string): Promise<string> {
  const memory = load(file);
  const { checkpoint } = reader;
  const known = memory[checkpoint.origin];
  let message = `This log was not seen before: ${checkpoint.size} leaves are remembered from now on.`;
  if (known) {
    if (known.vkey !== vkey && !isSignedBy(checkpoint, readVerifierKey(known.vkey))) {
      throw new MismatchError(
        "memory",
        "key_replaced",
        "the key that was trusted before did not sign this checkpoint",
      );
    }
    const before = readCheckpoint(known.checkpoint);
    await reader.continues(before);
    message = `The log continues the one remembered (${before.size} leaves then, ${checkpoint.size} now).`;
  }
  save(file, { ...memory, [checkpoint.origin]: { vkey, checkpoint: noteOf(checkpoint) } });
  return message;
}

function noteOf({ text, signatures }: Checkpoint): string {
  const lines = signatures.map(
    ({ name, keyId, signature }) =>
      `— ${name} ${Buffer.concat([keyId, signature]).toString("base64")}\n`,
  );
  return `${text}\n${lines.join("")}`;
}

function save(file: string, memory: Memory): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(memory, null, 1)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
