import { createHash, randomInt } from "node:crypto";
import { CannotCheckError } from "../instance.ts";
import { MismatchError, same } from "../log/bytes.ts";
import { type FileReader, LogReader } from "../log/logReader.ts";
import { emptyRoot, provesConsistency } from "../log/merkle.ts";
import { type Checkpoint, isSignedBy, parseCheckpoint, parseVerifierKey } from "../log/note.ts";
import { findSuccession, lossOf } from "../log/succession.ts";
import type { WitnessKey } from "./key.ts";
import { type AddCheckpoint, parseAddCheckpoint } from "./request.ts";
import type { Alarm, Tree, WitnessState } from "./state.ts";

/** Leaves that each round reads again beside the new ones, chosen at random. */
const sampledLeaves = 16;
const newLeavesMax = 2_048;
/** A log may serve an older checkpoint for a moment, from another of its processes. */
const staleMaxMs = 60_000;
/** How long signed trees may be unreadable: a proxy's error page or a restart is over by then. */
const withheldMaxMs = 60_000;

export interface Answer {
  status: number;
  type: string;
  body: string;
}

export interface WitnessOptions {
  key: WitnessKey;
  /** Reads a file under `/log` of the instance. */
  file: FileReader;
  /** The verifier keys that the instance lists, newest first. */
  listedKeys(): Promise<string[]>;
  /** Leaves that end an older log, as the instance lists them. */
  listedSuccessions?(): Promise<number[]>;
  state: WitnessState;
  /** Durable on return. */
  save(state: WitnessState): Promise<void>;
  nowMs(): number;
  /** A log without a new checkpoint for so long counts as dead. */
  deadAfterMs: number;
  /** New leaves that one look reads; later looks read the rest. */
  newLeavesMax?: number;
}

/**
 * Follows one log: reads it, checks that it only grows, and cosigns checkpoints that are submitted
 * (https://c2sp.org/tlog-witness). One task at a time; whatever it signs is stored before. An alarm
 * rests on data of the log's own that contradict each other; what cannot be read proves nothing.
 */
export class Witness {
  readonly #options: WitnessOptions;
  readonly #origin: string;
  #state: WitnessState;
  #grewAtMs: number;
  #staleSinceMs: number | null = null;
  #unreadSinceMs: number | null = null;
  /** A tree that the log signed and submitted before showing it; it has to be shown yet. */
  #unshown: { checkpoint: Checkpoint; note: string; sinceMs: number } | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WitnessOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#origin = parseVerifierKey(options.state.vkey).name;
    this.#grewAtMs = options.nowMs();
  }

  get state(): WitnessState {
    return this.#state;
  }

  get isDead(): boolean {
    return this.#options.nowMs() - this.#grewAtMs > this.#options.deadAfterMs;
  }

  /**
   * Whether the log signs trees that it does not show, or signs by a key that the trusted one never
   * handed over to. Ends when the log can be read again.
   */
  get isWithheld(): boolean {
    const since = [this.#unreadSinceMs, this.#unshown?.sinceMs ?? null];
    const nowMs = this.#options.nowMs();
    return since.some((oneMs) => oneMs !== null && nowMs - oneMs > withheldMaxMs);
  }

  /**
   * Reads the log once: its checkpoint, growth, new leaves and a sample of the older ones. Rejects
   * with a CannotCheckError when it could not be read.
   */
  observe(): Promise<void> {
    return this.#inTurn(() => this.#watched(() => this.#observe()));
  }

  /** Answers `POST add-checkpoint`. */
  addCheckpoint(body: string): Promise<Answer> {
    return this.#inTurn(() => this.#addCheckpoint(body));
  }

  /** Answers `GET <origin hash>/checkpoint`. */
  checkpointOf(originHash: string): Answer {
    const expected = createHash("sha256").update(this.#origin).digest("hex");
    const { note } = this.#state.cosigned;
    return originHash === expected && note !== "" ? text(200, note) : text(404, "unknown log\n");
  }

  #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => {});
    return run;
  }

  async #observe(): Promise<void> {
    const note = Buffer.from(await this.#options.file("checkpoint")).toString("utf8");
    const checkpoint = parseCheckpoint(note);
    try {
      await this.#read(checkpoint, note);
      this.#unreadSinceMs = null;
    } catch (fault) {
      if (isUnreadable(fault)) this.#unreadSinceMs ??= this.#options.nowMs();
      throw fault;
    }
  }

  async #read(checkpoint: Checkpoint, note: string): Promise<void> {
    if (checkpoint.origin !== this.#origin) await this.#requireSuccessor(checkpoint, note);
    this.#requireOwn(checkpoint);
    const { observed } = this.#state;
    if (checkpoint.size < observed.size) {
      await this.#requireStale(checkpoint, note);
      return;
    }
    this.#staleSinceMs = null;
    await this.#requireContinues(checkpoint, observed, note);
    await this.#requireShown(checkpoint, note);
    if (checkpoint.size > observed.size) this.#grewAtMs = this.#options.nowMs();
    const reader = new LogReader(checkpoint, this.#options.file);
    const { size } = checkpoint;
    const readTo = Math.min(
      size,
      this.#state.readTo + (this.#options.newLeavesMax ?? newLeavesMax),
    );
    for (const leaf of leavesToRead(this.#state.readTo, readTo, size)) await reader.leaf(leaf);
    const keys = await this.#keysAfter(checkpoint);
    await this.#save({ ...keys, readTo, observed: { ...treeOf(checkpoint), note } });
  }

  /**
   * The key to trust from now on: the newest listed one once it signs beside the trusted one, as
   * readers follow a key change too.
   */
  async #keysAfter(
    checkpoint: Checkpoint,
  ): Promise<Partial<Pick<WitnessState, "vkey" | "formerKeys">>> {
    const { vkey, formerKeys } = this.#state;
    const { keyId } = parseVerifierKey(vkey);
    const signsAnother = ({ name, keyId: id }: Checkpoint["signatures"][number]) =>
      name === this.#origin && !same(id, keyId);
    if (!checkpoint.signatures.some(signsAnother)) return {};
    const listed = (await this.#options.listedKeys()).map((key) => parseVerifierKey(key));
    const newest = listed.find((key) => key.name === this.#origin && isSignedBy(checkpoint, key));
    if (!newest || newest.vkey === vkey) return {};
    return { vkey: newest.vkey, formerKeys: [vkey, ...formerKeys] };
  }

  /**
   * A tree that was submitted before it could be read is compared once the log shows as many leaves:
   * whoever shows this witness another log may not hide behind being slower than the real one.
   */
  async #requireShown(checkpoint: Checkpoint, note: string): Promise<void> {
    const unshown = this.#unshown;
    if (!unshown || checkpoint.size < unshown.checkpoint.size) return;
    await this.#requireContinues(checkpoint, treeOf(unshown.checkpoint), note, unshown.note);
    this.#unshown = null;
  }

  /** An older tree of the same log is served: fine for a moment, a rollback if it stays. */
  async #requireStale(checkpoint: Checkpoint, note: string): Promise<void> {
    const { observed } = this.#state;
    // A log that lost its end serves no tiles of the newer tree to prove anything by.
    await this.#requireContinues(parseCheckpoint(observed.note), treeOf(checkpoint), note).catch(
      (fault: unknown) => {
        if (!isUnreadable(fault)) throw fault;
      },
    );
    const nowMs = this.#options.nowMs();
    this.#staleSinceMs ??= nowMs;
    if (nowMs - this.#staleSinceMs <= staleMaxMs) return;
    const detail = `from ${observed.size} to ${checkpoint.size} leaves`;
    await this.#raise({ what: "rolled_back", detail, evidence: [observed.note, note] });
  }

  /** Runs a look at the log; what contradicts a signed tree raises the alarm. */
  async #watched(task: () => Promise<void>): Promise<void> {
    if (this.#state.alarm) return;
    try {
      await task();
    } catch (fault) {
      if (fault instanceof ForkError) return; // the alarm is raised already
      if (!(fault instanceof MismatchError)) throw fault;
      if (isUnreadable(fault))
        throw new CannotCheckError(`The log cannot be read: ${fault.message}.`);
      const evidence = [this.#state.observed.note, this.#state.cosigned.note];
      const notes = evidence.filter((one) => one);
      await this.#raise({ what: "edited", detail: fault.message, evidence: notes });
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

  /**
   * Another log is served. If the one that is followed vouched for it as its successor, that is an
   * alarm of its own; the successor is followed only once the witness's friend says so.
   */
  async #requireSuccessor(checkpoint: Checkpoint, note: string): Promise<void> {
    const { vkey, formerKeys, observed, cosigned } = this.#state;
    const newest = observed.size >= cosigned.size ? observed : cosigned;
    const root = Buffer.from(newest.root, "base64");
    const known = { origin: this.#origin, vkeys: [vkey, ...formerKeys], size: newest.size, root };
    const reader = new LogReader(checkpoint, this.#options.file);
    const listed = (await this.#options.listedSuccessions?.()) ?? [];
    const found = await findSuccession(reader, known, listed);
    const detail = `${this.#origin} ended, and ${found.origin} succeeds it: ${lossOf(found)}`;
    const evidence = [newest.note, note].filter((one) => one);
    await this.#raise({ what: "succeeded", detail, evidence, successor: found.vkey });
    throw new ForkError();
  }

  #requireOwn(checkpoint: Checkpoint): void {
    if (checkpoint.origin !== this.#origin)
      throw new MismatchError("memory", "origin_differs", checkpoint.origin);
    if (!isSignedBy(checkpoint, parseVerifierKey(this.#state.vkey)))
      throw new MismatchError("memory", "signature_wrong", "not signed by the trusted key");
  }

  /** Checks against the public tiles that `checkpoint` extends a tree seen before. */
  async #requireContinues(
    checkpoint: Checkpoint,
    older: Tree,
    note: string,
    other = this.#state.observed.note,
  ): Promise<void> {
    if (older.size === 0) return;
    const reader = new LogReader(checkpoint, this.#options.file);
    try {
      await reader.continues({ size: older.size, root: Buffer.from(older.root, "base64") });
    } catch (fault) {
      if (!(fault instanceof MismatchError) || fault.difference !== "log_changed") throw fault;
      await this.#raise({
        what: "forked",
        detail: fault.message,
        evidence: [other, note].filter((one) => one),
      });
      throw new ForkError();
    }
  }

  async #addCheckpoint(body: string): Promise<Answer> {
    const request = parseAddCheckpoint(body);
    if (!request) return text(400, "malformed request\n");
    let checkpoint: Checkpoint;
    try {
      checkpoint = parseCheckpoint(request.note);
    } catch {
      return text(400, "malformed checkpoint\n");
    }
    if (checkpoint.origin !== this.#origin) return text(404, "unknown log\n");
    if (!this.#isTrusted(checkpoint)) return text(403, "no valid signature of a trusted key\n");
    if (request.oldSize > checkpoint.size) return text(400, "the old size is above the new\n");
    const { cosigned, alarm, observed } = this.#state;
    if (alarm) return text(403, `this log is no longer trusted: ${alarm.what}\n`);
    if (observed.note === "" || this.isWithheld) return text(503, "the log cannot be read\n");
    if (request.oldSize !== cosigned.size)
      return { status: 409, type: "text/x.tlog.size", body: `${cosigned.size}\n` };
    if (!isConsistent(request, cosigned, checkpoint)) {
      // Anyone may submit the log's own checkpoint with a wrong proof: only two roots are a fork.
      if (request.oldSize === checkpoint.size && treeOf(checkpoint).root !== cosigned.root)
        await this.#fork(request.note);
      return text(422, "not consistent with what was cosigned\n");
    }
    try {
      await this.#requirePublicView(checkpoint, request.note);
    } catch (fault) {
      if (fault instanceof ForkError) return text(422, "not what the log shows in public\n");
      const sinceMs = this.#options.nowMs();
      this.#unshown ??= { checkpoint, note: request.note, sinceMs };
      return text(503, "the log cannot be read\n");
    }
    const line = this.#options.key.cosign(checkpoint, Math.floor(this.#options.nowMs() / 1_000));
    await this.#save({ cosigned: { ...treeOf(checkpoint), note: `${request.note}${line}` } });
    return text(200, line);
  }

  /**
   * What is submitted must be what everybody else is shown: one of both trees extends the other, by
   * the tiles that the log serves in public.
   */
  async #requirePublicView(checkpoint: Checkpoint, note: string): Promise<void> {
    const { observed } = this.#state;
    const [larger, smaller] =
      checkpoint.size >= observed.size
        ? [checkpoint, observed]
        : [parseCheckpoint(observed.note), treeOf(checkpoint)];
    try {
      await this.#requireContinues(larger, smaller, note);
    } catch (fault) {
      if (!(fault instanceof MismatchError) || fault.difference !== "tile_differs") throw fault;
      // The public tiles are of another tree than the submitted one: that of the public checkpoint.
      const publicNote = Buffer.from(await this.#options.file("checkpoint")).toString("utf8");
      const now = parseCheckpoint(publicNote);
      this.#requireOwn(now);
      if (now.size >= checkpoint.size)
        await this.#requireContinues(now, treeOf(checkpoint), note, publicNote);
      throw fault;
    }
  }

  async #fork(note: string): Promise<void> {
    const { cosigned } = this.#state;
    const detail = `two trees of ${cosigned.size} leaves`;
    await this.#raise({ what: "forked", detail, evidence: [cosigned.note, note] });
  }

  /** A line of the trusted key must verify; one that does not makes the note malformed. */
  #isTrusted(checkpoint: Checkpoint): boolean {
    const key = parseVerifierKey(this.#state.vkey);
    const own = checkpoint.signatures.filter(
      ({ name, keyId }) => name === key.name && same(keyId, key.keyId),
    );
    return (
      own.length > 0 && own.every((one) => isSignedBy({ ...checkpoint, signatures: [one] }, key))
    );
  }
}

/** The alarm was raised: the log shows two histories, or ended. */
class ForkError extends Error {}

/** What contradicts a signed tree: two trees, or well-formed data that are in neither. */
const contradictions = ["log_changed", "tile_differs", "leaf_not_in_log"];

/**
 * Whether the fault says only that the log could not be read: a missing file, or one that a proxy
 * or anybody without the log's key could have put there.
 */
function isUnreadable(fault: unknown): boolean {
  if (fault instanceof MismatchError) return !contradictions.includes(fault.difference);
  return fault instanceof CannotCheckError;
}

/** The new leaves from `from` to `to` (exclusive), and a sample of all `size`. */
function leavesToRead(from: number, to: number, size: number): number[] {
  const fresh = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  const sample = Array.from({ length: Math.min(sampledLeaves, size) }, () => randomInt(size));
  return [...new Set([...fresh, ...sample])];
}

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
