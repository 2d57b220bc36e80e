import { createHash, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CannotCheckError } from "../instance.ts";
import { MismatchError } from "../log/bytes.ts";
import { type FileReader, LogReader } from "../log/logReader.ts";
import { type Checkpoint, isSignedBy, parseCheckpoint, parseVerifierKey } from "../log/note.ts";
import { describeLoss, findSuccession } from "../log/succession.ts";
import { type Answer, toDistrustAnswer, toTextAnswer } from "./answer.ts";
import { ForkError, isUnreadable } from "./contradiction.ts";
import type { WitnessKey } from "./key.ts";
import { addLeaf, getPauseInEffect, type Pause } from "./lastLeaves.ts";
import { Queue } from "./queue.ts";
import { parseAddCheckpoint } from "./request.ts";
import type { Alarm, SeenTree, Tree, WitnessState } from "./state.ts";
import { buildTree, isConsistent, isSameTree } from "./tree.ts";
import { findNextKeys, findSigningKeys, isTrustedKey } from "./trustedKey.ts";

/** Leaves that each round reads again beside the new ones, chosen at random. */
const sampledLeaves = 16;
const newLeavesMax = 2_048;
/** A log may serve an older checkpoint for a moment, from another of its processes. */
const staleMaxMs = 60_000;
/** How long signed trees may be unreadable: a proxy's error page or a restart is over by then. */
const withheldMaxMs = 60_000;
/** How often a request restarts because a look has seen another tree in between. */
const comparisonsMax = 3;
/** The delay before looking again for a submitted tree that is not public yet. */
const lookAgainMs = 1_000;

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
  /** A log without a new checkpoint for this long counts as dead. */
  deadAfterMs: number;
  /** New leaves that one look reads; later looks read the rest. */
  newLeavesMax?: number;
  lookAgainMs?: number;
}

/** The start of an absence, and the latest look that confirmed it. */
interface Absence {
  sinceMs: number;
  lookedMs: number;
}

/**
 * Follows one log: reads it, checks that it only grows, and cosigns checkpoints that are submitted
 * (https://c2sp.org/tlog-witness). Looks run one after the other, and so do requests, but no
 * request waits for a look; everything is stored before it is signed. An alarm is based on
 * contradictory data from the log itself; unreadable data proves nothing.
 */
export class Witness {
  readonly #options: WitnessOptions;
  readonly #origin: string;
  #state: WitnessState;
  #grewAtMs: number;
  #staleSinceMs: number | null = null;
  #unread: Absence | null = null;
  /** A tree that the log signed and submitted but has not published yet. */
  #unshown: ({ checkpoint: Checkpoint; note: string } & Absence) | null = null;
  readonly #looks = new Queue();
  readonly #requests = new Queue();
  readonly #changes = new Queue();

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

  /** The act in the log that paused world time, so that few leaves are expected. */
  get pausedBy(): Pause | null {
    return getPauseInEffect(this.#state.last);
  }

  /**
   * True while the log signs trees that it does not show, or signs with a key that the trusted one
   * never handed over to, if a look after the allowed time confirmed it. Ends when the log can be
   * read again.
   */
  get isWithheld(): boolean {
    return [this.#unread, this.#unshown].some(
      (absence) => absence && absence.lookedMs - absence.sinceMs > withheldMaxMs,
    );
  }

  /**
   * Reads the log once: its checkpoint, growth, new leaves and a sample of the older ones. Rejects
   * with a CannotCheckError when it could not be read.
   */
  observe(): Promise<void> {
    return this.#look(async () => this.#readLeaves(await this.#readCheckpoint()));
  }

  /** Reads only the checkpoint and its growth, after which requests can be answered. */
  async observeCheckpoint(): Promise<void> {
    await this.#look(() => this.#readCheckpoint());
  }

  /** Answers `POST add-checkpoint`. */
  addCheckpoint(body: string): Promise<Answer> {
    return this.#requests.add(() => this.#addCheckpoint(body));
  }

  /** Answers `GET <origin hash>/checkpoint`. */
  checkpointOf(originHash: string): Answer {
    const expected = createHash("sha256").update(this.#origin).digest("hex");
    const { note } = this.#state.cosigned;
    return originHash === expected && note !== ""
      ? toTextAnswer(200, note)
      : toTextAnswer(404, "unknown log\n");
  }

  #look(task: () => Promise<unknown>): Promise<void> {
    return this.#looks.add(() =>
      this.#watched(async () => {
        try {
          await task();
          this.#unread = null;
        } catch (error) {
          if (isUnreadable(error)) this.#unread = this.#stillAbsent(this.#unread);
          throw error;
        }
      }),
    );
  }

  #stillAbsent(before: Absence | null): Absence {
    const lookedMs = this.#options.nowMs();
    return { sinceMs: before?.sinceMs ?? lookedMs, lookedMs };
  }

  /** The newest public checkpoint, proven to continue the tree seen before; null if it is older. */
  async #readCheckpoint(): Promise<LogReader | null> {
    const note = Buffer.from(await this.#options.file("checkpoint")).toString("utf8");
    const checkpoint = parseCheckpoint(note);
    if (checkpoint.origin !== this.#origin) await this.#requireSuccessor(checkpoint, note);
    const heirs = await findSigningKeys(this.#state, checkpoint, this.#options.file);
    this.#requireOwn(checkpoint, heirs.vkey);
    const { observed } = this.#state;
    if (checkpoint.size < observed.size) {
      await this.#requireStale(checkpoint, note);
      return null;
    }
    this.#staleSinceMs = null;
    const reader = this.#readerOf(checkpoint);
    await this.#requireContinues(reader, observed, note);
    await this.#requireShown(reader, note);
    if (checkpoint.size > observed.size) this.#grewAtMs = this.#options.nowMs();
    const keys = await findNextKeys(heirs, checkpoint, () => this.#options.listedKeys());
    await this.#save({ ...keys, observed: { ...buildTree(checkpoint), note } });
    // Read the state only now: trees cosigned since the look began were compared with the older
    // observed tree.
    const { cosigned } = this.#state;
    if (cosigned.size <= checkpoint.size)
      await this.#requireContinues(reader, cosigned, note, cosigned.note);
    return reader;
  }

  /** Reads the leaves that were never read, as many as one look may, and a sample of all. */
  async #readLeaves(reader: LogReader | null): Promise<void> {
    if (!reader) return;
    const { size } = reader.checkpoint;
    const { readTo } = this.#state;
    const end = Math.min(size, readTo + (this.#options.newLeavesMax ?? newLeavesMax));
    const entries = end > readTo ? await reader.range(readTo, end - 1) : [];
    const last = entries.reduce(
      (before, entry, index) => addLeaf(before, readTo + index, entry),
      this.#state.last,
    );
    for (let count = 0; count < Math.min(sampledLeaves, size); count += 1)
      await reader.leaf(randomInt(size));
    await this.#save({ readTo: end, last });
  }

  /**
   * A tree that was submitted before it could be read is compared once the log shows as many
   * leaves: a server that shows this witness another log may not hide behind being slower than the
   * real one.
   */
  async #requireShown(reader: LogReader, note: string): Promise<void> {
    const unshown = this.#unshown;
    if (!unshown) return;
    if (reader.checkpoint.size < unshown.checkpoint.size) {
      this.#unshown = { ...unshown, ...this.#stillAbsent(unshown) };
      return;
    }
    await this.#requireContinues(reader, buildTree(unshown.checkpoint), note, unshown.note);
    this.#unshown = null;
  }

  /** An older tree of the same log is served: fine for a moment, a rollback if it stays. */
  async #requireStale(checkpoint: Checkpoint, note: string): Promise<void> {
    const { observed } = this.#state;
    // A log that lost its end serves no tiles of the newer tree to prove anything by.
    const newer = this.#readerOf(parseCheckpoint(observed.note));
    await this.#requireContinues(newer, buildTree(checkpoint), note).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error;
    });
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
    } catch (error) {
      if (error instanceof ForkError) return; // the alarm is raised already
      if (!(error instanceof MismatchError)) throw error;
      if (isUnreadable(error))
        throw new CannotCheckError(`The log cannot be read: ${error.message}.`);
      const evidence = [this.#state.observed.note, this.#state.cosigned.note];
      const notes = evidence.filter((note) => note);
      const alarmName = error.difference === "accounts_fell" ? "accounts_fell" : "edited";
      await this.#raise({ what: alarmName, detail: error.message, evidence: notes });
    }
  }

  async #raise(alarm: Omit<Alarm, "atMs">): Promise<void> {
    await this.#save({ alarm: { ...alarm, atMs: this.#options.nowMs() } });
  }

  /**
   * Returns false and changes nothing after an alarm, because the first alarm stays and nothing is
   * signed any more, or if the change is based on a tree that is no longer the latest one seen.
   */
  #save(changes: Partial<WitnessState>, restsOn?: SeenTree): Promise<boolean> {
    return this.#changes.add(async () => {
      const { alarm, observed } = this.#state;
      if (alarm || (restsOn && !isSameTree(restsOn, observed))) return false;
      const state = { ...this.#state, ...changes };
      await this.#options.save(state);
      this.#state = state;
      return true;
    });
  }

  #readerOf(checkpoint: Checkpoint): LogReader {
    return new LogReader(checkpoint, this.#options.file);
  }

  /**
   * Another log is served. If the followed log vouched for it as its successor, that is a separate
   * kind of alarm; the successor is followed only once the person who runs the witness accepts it.
   */
  async #requireSuccessor(checkpoint: Checkpoint, note: string): Promise<void> {
    const { vkey, formerKeys, observed, cosigned } = this.#state;
    const newestTree = observed.size >= cosigned.size ? observed : cosigned;
    const root = Buffer.from(newestTree.root, "base64");
    const knownLog = {
      origin: this.#origin,
      vkeys: [vkey, ...formerKeys],
      size: newestTree.size,
      root,
    };
    const reader = this.#readerOf(checkpoint);
    const listedSuccessions = (await this.#options.listedSuccessions?.()) ?? [];
    const succession = await findSuccession(reader, knownLog, listedSuccessions);
    const detail = `${this.#origin} ended, and ${succession.origin} succeeds it: ${describeLoss(succession)}`;
    const evidence = [newestTree.note, note].filter((note) => note);
    await this.#raise({ what: "succeeded", detail, evidence, successor: succession.vkey });
    throw new ForkError();
  }

  #requireOwn(checkpoint: Checkpoint, vkey = this.#state.vkey): void {
    if (checkpoint.origin !== this.#origin)
      throw new MismatchError("memory", "origin_differs", checkpoint.origin);
    if (!isSignedBy(checkpoint, parseVerifierKey(vkey)))
      throw new MismatchError("memory", "signature_wrong", "not signed by the trusted key");
  }

  /** Checks against the public tiles that the reader's tree extends one seen before. */
  async #requireContinues(
    reader: LogReader,
    older: Tree,
    note: string,
    other = this.#state.observed.note,
  ): Promise<void> {
    if (older.size === 0) return;
    try {
      await reader.continues({ size: older.size, root: Buffer.from(older.root, "base64") });
    } catch (error) {
      if (!(error instanceof MismatchError) || error.difference !== "log_changed") throw error;
      await this.#raise({
        what: "forked",
        detail: error.message,
        evidence: [other, note].filter((note) => note),
      });
      throw new ForkError();
    }
  }

  async #addCheckpoint(body: string): Promise<Answer> {
    const request = parseAddCheckpoint(body);
    if (!request) return toTextAnswer(400, "malformed request\n");
    let checkpoint: Checkpoint;
    try {
      checkpoint = parseCheckpoint(request.note);
    } catch {
      return toTextAnswer(400, "malformed checkpoint\n");
    }
    if (checkpoint.origin !== this.#origin) return toTextAnswer(404, "unknown log\n");
    if (!isTrustedKey(checkpoint, this.#state.vkey))
      return toTextAnswer(403, "no valid signature of a trusted key\n");
    if (request.oldSize > checkpoint.size)
      return toTextAnswer(400, "the old size is above the new\n");
    const { cosigned, alarm, observed } = this.#state;
    if (alarm) return toDistrustAnswer(alarm);
    if (observed.note === "" || this.isWithheld)
      return toTextAnswer(503, "the log cannot be read\n");
    if (request.oldSize !== cosigned.size)
      return { status: 409, type: "text/x.tlog.size", body: `${cosigned.size}\n` };
    if (!isConsistent(request, cosigned, checkpoint)) {
      // Anyone may submit the log's own checkpoint with a wrong proof: only two roots are a fork.
      if (request.oldSize === checkpoint.size && buildTree(checkpoint).root !== cosigned.root)
        await this.#fork(request.note);
      return toTextAnswer(422, "not consistent with what was cosigned\n");
    }
    return await this.#cosign(checkpoint, request.note);
  }

  /** A look may see another tree while this one is compared; then compare with that tree again. */
  async #cosign(checkpoint: Checkpoint, submitted: string): Promise<Answer> {
    for (let count = 0; count < comparisonsMax; count += 1) {
      const { observed } = this.#state;
      try {
        await this.#requirePublicView(checkpoint, submitted, observed);
      } catch (error) {
        if (error instanceof ForkError)
          return toTextAnswer(422, "not what the log shows in public\n");
        this.#unshown ??= { checkpoint, note: submitted, ...this.#stillAbsent(null) };
        return toTextAnswer(503, "the log cannot be read\n");
      }
      const line = this.#options.key.cosign(checkpoint, Math.floor(this.#options.nowMs() / 1_000));
      const cosigned = { ...buildTree(checkpoint), note: `${submitted}${line}` };
      if (await this.#save({ cosigned }, observed)) return toTextAnswer(200, line);
      if (this.#state.alarm) return toDistrustAnswer(this.#state.alarm);
    }
    return toTextAnswer(503, "the log grows faster than it can be read\n");
  }

  /**
   * Submitted and public trees must agree: one of both trees extends the other, by the tiles that
   * the log serves in public. Tiles may lag for a moment, so the current public checkpoint decides,
   * or one shortly after.
   */
  async #requirePublicView(
    checkpoint: Checkpoint,
    note: string,
    observed: SeenTree,
  ): Promise<void> {
    const [larger, smaller] =
      checkpoint.size >= observed.size
        ? [checkpoint, observed]
        : [parseCheckpoint(observed.note), buildTree(checkpoint)];
    try {
      await this.#requireContinues(this.#readerOf(larger), smaller, note);
    } catch (error) {
      if (error instanceof ForkError) throw error;
      const isPublic = () => this.#isPublic(checkpoint, note, observed);
      if (await isPublic()) return;
      await sleep(this.#options.lookAgainMs ?? lookAgainMs);
      if (!(await isPublic())) throw error;
    }
  }

  /**
   * Returns true if the current public tree extends both trees; false while it has fewer leaves.
   */
  async #isPublic(checkpoint: Checkpoint, note: string, observed: SeenTree): Promise<boolean> {
    const publicNote = Buffer.from(await this.#options.file("checkpoint")).toString("utf8");
    const currentCheckpoint = parseCheckpoint(publicNote);
    this.#requireOwn(currentCheckpoint);
    if (currentCheckpoint.size < checkpoint.size || currentCheckpoint.size < observed.size)
      return false;
    const reader = this.#readerOf(currentCheckpoint);
    await this.#requireContinues(reader, buildTree(checkpoint), note, publicNote);
    await this.#requireContinues(reader, observed, publicNote, observed.note);
    return true;
  }

  async #fork(note: string): Promise<void> {
    const { cosigned } = this.#state;
    const detail = `two trees of ${cosigned.size} leaves`;
    await this.#raise({ what: "forked", detail, evidence: [cosigned.note, note] });
  }
}
