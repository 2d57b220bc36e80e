import { createHash, randomInt } from "node:crypto";
import { MismatchError, same } from "../log/bytes.ts";
import { type FileReader, LogReader } from "../log/logReader.ts";
import { emptyRoot, provesConsistency } from "../log/merkle.ts";
import { type Checkpoint, isSignedBy, readCheckpoint, readVerifierKey } from "../log/note.ts";
import type { WitnessKey } from "./key.ts";
import { type AddCheckpoint, readAddCheckpoint } from "./request.ts";
import type { Alarm, Tree, WitnessState } from "./state.ts";

/** Leaves that each round reads again beside the new ones, chosen at random. */
const sampledLeaves = 16;
/** New leaves that one round reads; the rest is left to the samples. */
const newLeavesMax = 2_048;
/** A log may serve an older checkpoint for a moment, from another of its processes. */
const staleMaxMs = 60_000;

export interface Answer {
  status: number;
  type: string;
  body: string;
}

export interface WitnessOptions {
  key: WitnessKey;
  /** Reads a file under `/log` of the instance. */
  file: FileReader;
  state: WitnessState;
  /** Durable on return. */
  save(state: WitnessState): Promise<void>;
  nowMs(): number;
  /** A log without a new checkpoint for so long counts as dead. */
  deadAfterMs: number;
}

/**
 * Follows one log: reads it, checks that it only grows, and cosigns checkpoints that are submitted
 * (https://c2sp.org/tlog-witness). One task at a time; whatever it signs is stored before.
 */
export class Witness {
  readonly #options: WitnessOptions;
  readonly #origin: string;
  #state: WitnessState;
  #grewAtMs: number;
  #staleSinceMs: number | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WitnessOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#origin = readVerifierKey(options.state.vkey).name;
    this.#grewAtMs = options.nowMs();
  }

  get state(): WitnessState {
    return this.#state;
  }

  get isDead(): boolean {
    return this.#options.nowMs() - this.#grewAtMs > this.#options.deadAfterMs;
  }

  /** Reads the log once: its checkpoint, growth, new leaves and a sample of the older ones. */
  observe(): Promise<void> {
    return this.#inTurn(() => this.#watched(() => this.#observe()));
  }

  /** Answers `POST add-checkpoint`. */
  addCheckpoint(body: string): Promise<Answer> {
    return this.#inTurn(() => this.#addCheckpoint(body));
  }

  /** Answers `GET <origin hash>/checkpoint`. */
  checkpointOf(originHash: string): Answer {
    const wanted = createHash("sha256").update(this.#origin).digest("hex");
    const { note } = this.#state.cosigned;
    return originHash === wanted && note !== "" ? text(200, note) : text(404, "unknown log\n");
  }

  #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => {});
    return run;
  }

  async #observe(): Promise<void> {
    const note = Buffer.from(await this.#options.file("checkpoint")).toString("utf8");
    const checkpoint = this.#open(note);
    const { observed } = this.#state;
    if (checkpoint.size < observed.size) {
      await this.#requireStale(checkpoint, note);
      return;
    }
    this.#staleSinceMs = null;
    await this.#requireContinues(checkpoint, observed, note);
    if (checkpoint.size > observed.size) this.#grewAtMs = this.#options.nowMs();
    const reader = new LogReader(checkpoint, this.#options.file);
    for (const leaf of this.#leavesToRead(observed.size, checkpoint.size)) await reader.leaf(leaf);
    await this.#save({ observed: { ...treeOf(checkpoint), note } });
  }

  /** An older tree of the same log is served: fine for a moment, a rollback if it stays. */
  async #requireStale(checkpoint: Checkpoint, note: string): Promise<void> {
    const { observed } = this.#state;
    const newer = new LogReader(readCheckpoint(observed.note), this.#options.file);
    await newer.continues(checkpoint).catch((fault: unknown) => {
      // A log that lost its end serves no tiles of the newer tree to prove anything by.
      if (!(fault instanceof MismatchError && fault.difference === "leaf_missing")) throw fault;
    });
    const nowMs = this.#options.nowMs();
    this.#staleSinceMs ??= nowMs;
    if (nowMs - this.#staleSinceMs <= staleMaxMs) return;
    const detail = `from ${observed.size} to ${checkpoint.size} leaves`;
    await this.#raise({ what: "rolled_back", detail, evidence: [observed.note, note] });
  }

  #leavesToRead(from: number, to: number): number[] {
    const fresh = Array.from({ length: Math.min(to - from, newLeavesMax) }, (_, at) => from + at);
    const sample = Array.from({ length: Math.min(sampledLeaves, to) }, () => randomInt(to));
    return [...new Set([...fresh, ...sample])];
  }

  /** Runs a look at the log; what contradicts the log raises the alarm. */
  async #watched(task: () => Promise<void>): Promise<void> {
    if (this.#state.alarm) return;
    try {
      await task();
    } catch (fault) {
      if (fault instanceof ForkError) return; // the alarm is raised already
      if (!(fault instanceof MismatchError)) throw fault;
      const what = fault.step === "memory" ? "forked" : "edited";
      const evidence = [this.#state.observed.note, this.#state.cosigned.note];
      await this.#raise({ what, detail: fault.message, evidence: evidence.filter((one) => one) });
    }
  }

  async #raise(alarm: Omit<Alarm, "atMs">): Promise<void> {
    await this.#save({ alarm: { ...alarm, atMs: this.#options.nowMs() } });
  }

  async #save(changed: Partial<WitnessState>): Promise<void> {
    const state = { ...this.#state, ...changed };
    await this.#options.save(state);
    this.#state = state;
  }

  #open(note: string): Checkpoint {
    const checkpoint = readCheckpoint(note);
    if (checkpoint.origin !== this.#origin)
      throw new MismatchError("memory", "origin_differs", checkpoint.origin);
    if (!isSignedBy(checkpoint, readVerifierKey(this.#state.vkey)))
      throw new MismatchError("memory", "signature_wrong", "not signed by the trusted key");
    return checkpoint;
  }

  /** Checks against the public tiles that `checkpoint` extends a tree seen before. */
  async #requireContinues(checkpoint: Checkpoint, older: Tree, note: string): Promise<void> {
    if (older.size === 0) return;
    const reader = new LogReader(checkpoint, this.#options.file);
    try {
      await reader.continues({ size: older.size, root: Buffer.from(older.root, "base64") });
    } catch (fault) {
      if (!(fault instanceof MismatchError)) throw fault;
      await this.#raise({
        what: "forked",
        detail: fault.message,
        evidence: [this.#state.observed.note, note].filter((one) => one),
      });
      throw new ForkError();
    }
  }

  async #addCheckpoint(body: string): Promise<Answer> {
    const request = readAddCheckpoint(body);
    if (!request) return text(400, "malformed request\n");
    let checkpoint: Checkpoint;
    try {
      checkpoint = readCheckpoint(request.note);
    } catch {
      return text(400, "malformed checkpoint\n");
    }
    if (checkpoint.origin !== this.#origin) return text(404, "unknown log\n");
    if (!this.#isTrusted(checkpoint)) return text(403, "no valid signature of a trusted key\n");
    if (request.oldSize > checkpoint.size) return text(400, "the old size is above the new\n");
    const { cosigned, alarm } = this.#state;
    if (alarm) return text(403, `this log is no longer trusted: ${alarm.what}\n`);
    if (request.oldSize !== cosigned.size)
      return { status: 409, type: "text/x.tlog.size", body: `${cosigned.size}\n` };
    if (!isConsistent(request, cosigned, checkpoint)) {
      if (request.oldSize === checkpoint.size) await this.#fork(request.note);
      return text(422, "not consistent with what was cosigned\n");
    }
    try {
      await this.#requirePublicView(checkpoint, request.note);
    } catch (fault) {
      if (fault instanceof ForkError) return text(422, "not what the log shows in public\n");
      return text(503, "the log cannot be read\n");
    }
    const line = this.#options.key.cosign(
      checkpoint.text,
      Math.floor(this.#options.nowMs() / 1_000),
    );
    await this.#save({ cosigned: { ...treeOf(checkpoint), note: `${request.note}${line}` } });
    return text(200, line);
  }

  /**
   * What is submitted must be what everybody else is shown: both trees lie in one line, by the
   * tiles that the log serves in public.
   */
  async #requirePublicView(checkpoint: Checkpoint, note: string): Promise<void> {
    const { observed } = this.#state;
    if (checkpoint.size >= observed.size) {
      await this.#requireContinues(checkpoint, observed, note);
      return;
    }
    await this.#requireContinues(readCheckpoint(observed.note), treeOf(checkpoint), note);
  }

  async #fork(note: string): Promise<void> {
    const { cosigned } = this.#state;
    const detail = `two trees of ${cosigned.size} leaves`;
    await this.#raise({ what: "forked", detail, evidence: [cosigned.note, note] });
  }

  /** A line of the trusted key must verify; one that does not makes the note malformed. */
  #isTrusted(checkpoint: Checkpoint): boolean {
    const key = readVerifierKey(this.#state.vkey);
    const own = checkpoint.signatures.filter(
      ({ name, keyId }) => name === key.name && same(keyId, key.keyId),
    );
    return (
      own.length > 0 && own.every((one) => isSignedBy({ ...checkpoint, signatures: [one] }, key))
    );
  }
}

/** The alarm was raised: the log shows two histories. */
class ForkError extends Error {}

function isConsistent(
  { oldSize, proof }: AddCheckpoint,
  cosigned: Tree,
  checkpoint: Checkpoint,
): boolean {
  if (checkpoint.size === 0 && !same(checkpoint.root, emptyRoot)) return false;
  if (oldSize === 0 && checkpoint.size > 0) return proof.length === 0;
  const root = Buffer.from(cosigned.root, "base64");
  return provesConsistency(oldSize, checkpoint.size, root, checkpoint.root, proof);
}

function treeOf({ size, root }: Checkpoint): Tree {
  return { size, root: root.toString("base64") };
}

function text(status: number, body: string): Answer {
  return { status, type: "text/plain; charset=utf-8", body };
}
