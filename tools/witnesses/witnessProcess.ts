import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeVkey, keyTypes, noteKey } from "#core/transparency-log/checkpoint.ts";
import { findFreePort } from "../lib/processes.ts";

/** A witness as an outsider would run it: a process with its own folder and port. */
export class WitnessProcess {
  readonly name: string;
  readonly vkey: string;
  readonly #folder: string;
  readonly #listen: string;
  #child: ChildProcess | null = null;
  /** The printed output. */
  output = "";

  private constructor(name: string, vkey: string, folder: string, listen: string) {
    this.name = name;
    this.vkey = vkey;
    this.#folder = folder;
    this.#listen = listen;
  }

  /** Creates the key and chooses the port, so that a policy can name the witness before it runs. */
  static async make(name: string, parent: string): Promise<WitnessProcess> {
    const folder = join(parent, name);
    mkdirSync(folder);
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(
      join(folder, "witness-key.pem"),
      privateKey.export({ type: "pkcs8", format: "pem" }),
      { mode: 0o600 },
    );
    const bytes = new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url"));
    const vkey = encodeVkey(noteKey(name, bytes, keyTypes.witness), keyTypes.witness);
    return new WitnessProcess(name, vkey, folder, `127.0.0.1:${await findFreePort()}`);
  }

  /** Its line in the instance's witness policy. */
  get policyLine(): string {
    return `witness ${this.name} ${this.vkey} http://${this.#listen}`;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(url: string, more: readonly string[] = []): void {
    const main = join(import.meta.dirname, "../../verify/witness/main.ts");
    const args = ["--url", url, "--name", this.name, "--folder", this.#folder];
    const child = spawn(process.execPath, [main, ...args, "--listen", this.#listen, ...more], {
      env: { PATH: process.env.PATH ?? "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    this.#child = child;
    process.once("exit", () => child.kill("SIGKILL"));
  }

  /** The witness's permanent alarm; null while there is none. */
  alarm(): { what: string; detail: string } | null {
    const path = join(this.#folder, "alarm.json");
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
  }

  /** Waits for its alarm; null if it raises none within `limitMs`. */
  async untilAlarm(limitMs: number): Promise<{ what: string; seconds: number } | null> {
    const fromMs = performance.now();
    while (performance.now() - fromMs < limitMs) {
      const alarm = this.alarm();
      if (alarm) return { what: alarm.what, seconds: (performance.now() - fromMs) / 1_000 };
      await sleep(100);
    }
    return null;
  }

  /** Stops it as Ctrl-C would; resolves with its exit status. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const closing = once(child, "close");
    child.kill("SIGINT");
    await closing;
    return child.exitCode;
  }
}
