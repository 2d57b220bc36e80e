import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, NoAnswerError } from "#server/testing/client.ts";

/**
 * Follows the public log from outside: keeps the last served checkpoint, and has the command-line
 * verifier prove that the log after a kill continues it.
 */
export class Witness {
  readonly #client: Client;
  readonly #url: string;
  readonly #memory: string;
  #vkey = "";
  #last: string | null = null;
  #isStopping = false;
  #pendingWatch: Promise<void> | null = null;
  proofs = 0;
  /** The verifier's output where it found a difference or could not check. */
  readonly findings: string[] = [];

  constructor(client: Client, url: string, directory: string) {
    this.#client = client;
    this.#url = url;
    this.#memory = join(directory, "checkpoints.json");
  }

  async start(): Promise<void> {
    const state = await this.#client.call<{ keys: { vkey: string }[] }>({
      method: "GET",
      path: "/api/log/getState",
    });
    this.#vkey = state.keys[0]!.vkey;
    this.#pendingWatch = this.#watch();
  }

  async #watch(): Promise<void> {
    while (!this.#isStopping) {
      try {
        const note = await this.#client.get("/log/checkpoint");
        if (note.includes("\n\n")) this.#last = note;
      } catch (error) {
        if (!(error instanceof NoAnswerError)) throw error;
      }
      await sleep(250);
    }
  }

  /** The last checkpoint seen so far; taken before a kill, to be compared after it. */
  seen(): string | null {
    return this.#last;
  }

  /** Resolves once a checkpoint other than `note` is served. */
  async after(note: string | null): Promise<void> {
    while (this.#last === note && !this.#isStopping) await sleep(50);
  }

  /** The key that signs the log that was followed. */
  get vkey(): string {
    return this.#vkey;
  }

  /** Proves that the log as served now continues `note`, signed by `vkey` when it was seen. */
  async prove(note: string | null, vkey = this.#vkey): Promise<void> {
    if (note === null) return;
    const origin = note.slice(0, note.indexOf("\n"));
    const memory = {
      logs: { [origin]: { vkey, checkpoint: note } },
      instances: { [this.#url]: origin },
    };
    let text = "";
    // Status 2 means that nothing could be checked: the server may still be starting.
    for (let attempt = 1; attempt <= 5; attempt++) {
      writeFileSync(this.#memory, JSON.stringify(memory));
      const { status, output } = await this.#verify();
      text = output.trim();
      if (status === 0) {
        this.proofs += 1;
        return;
      }
      if (status === 1) break;
      await sleep(500);
    }
    this.findings.push(text);
  }

  async #verify(): Promise<{ status: number | null; output: string }> {
    const main = join(import.meta.dirname, "../../verify/main.ts");
    const args = [main, "--log", "--url", this.#url, "--memory", this.#memory];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    const [status] = (await once(child, "close")) as [number | null];
    return { status, output };
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#pendingWatch;
  }
}
