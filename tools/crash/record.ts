import { type FileHandle, open, readFile } from "node:fs/promises";

/** One change as acknowledged to its client. */
export interface AcknowledgedChange {
  kind: string;
  key: string;
  userId: string;
  /** The fields that a retry must return unchanged, as JSON. */
  lastingFields: string;
  /** The change of the person's wallets that it caused; null when nothing is posted. */
  balanceChanges: Record<string, string> | null;
  /** The entry of the operators' audit that it wrote, if it is a call of the console. */
  act: { what: string; target: string | null } | null;
  /**
   * Real time of the last retry, if an earlier request got no answer; null if the first one was
   * answered.
   */
  resentAtMs: number | null;
}

/**
 * The answers that clients received, recorded outside of the server and its database in an
 * append-only file. An entry counts once it is on disk; those that arrive during a write go
 * together in the next one.
 */
export class OutsideRecord {
  readonly #file: FileHandle;
  #queue: { line: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
  #pendingWrite: Promise<void> | null = null;
  count = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<OutsideRecord> {
    return new OutsideRecord(await open(path, "ax", 0o600));
  }

  add(entry: AcknowledgedChange): Promise<void> {
    return new Promise((resolve, failed) => {
      this.#queue.push({ line: `${JSON.stringify(entry)}\n`, resolve, reject: failed });
      this.#pendingWrite ??= this.#write();
    });
  }

  async #write(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        await this.#file.write(batch.map(({ line }) => line).join(""));
        await this.#file.datasync();
      } catch (error) {
        for (const { reject } of batch) reject(error);
        continue;
      }
      this.count += batch.length;
      for (const { resolve } of batch) resolve();
    }
    this.#pendingWrite = null;
  }

  async close(): Promise<void> {
    await this.#pendingWrite;
    await this.#file.close();
  }
}

export async function readRecord(path: string): Promise<AcknowledgedChange[]> {
  const lines = (await readFile(path, "utf8")).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as AcknowledgedChange);
}
