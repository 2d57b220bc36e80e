import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Client, NoAnswerError } from "#server/testing/client.ts";
import {
  type Answer,
  type Change,
  describeLasting,
  isRetryable,
  type Mix,
  StoppingError,
} from "./change.ts";
import type { OutsideRecord } from "./record.ts";

/** Real milliseconds before an unanswered request is retried. */
const againMs = 60;
/** Real time for which a refusal that may pass is retried. */
const refusedMaxMs = 45_000;
/** Acknowledged changes of each mix kept to be retried at any time. */
const sampleMax = 2_000;

interface AnsweredChange {
  answer: Answer;
  sentAtMs: number;
  resentAtMs: number | null;
}

/** A key whose last request got no answer. */
export interface OpenKey {
  userId: string;
  kind: string;
  /** The subject that the change names by `id`, such as a publication; null if none. */
  id: string | null;
}

/**
 * Makes changes from many clients at once, each with its own key, and retries with the same key
 * until answered.
 */
export class Load {
  readonly #client: Client;
  readonly #record: OutsideRecord;
  readonly #random: () => number;
  #isStopping = false;
  #clients: Promise<void>[] = [];
  #sample: { change: Change; lasting: string }[] = [];
  #waiters: { sinceMs: number; resolve: () => void }[] = [];
  /** Keys whose last request got no answer. */
  readonly openKeys = new Map<string, OpenKey>();
  readonly acknowledgedCounts = new Map<string, number>();
  /** Requests that got no answer, and keys that got two different answers. */
  unanswered = 0;
  contradictions: string[] = [];
  retryCount = 0;
  readonly refusals = new Map<string, number>();
  /** The first error that no client should ever meet. */
  fatalError: unknown = null;

  constructor(client: Client, record: OutsideRecord, random: () => number) {
    this.#client = client;
    this.#record = record;
    this.#random = random;
  }

  get stopping(): boolean {
    return this.#isStopping;
  }

  /** Spreads `clients` over the mixes in turn. */
  start(clients: number, mixes: readonly Mix[]): void {
    this.#clients = Array.from({ length: clients }, (_, number) =>
      this.#run(mixes[number % mixes.length]!, Math.floor(number / mixes.length)).catch(
        (error: unknown) => {
          if (!(error instanceof StoppingError)) this.fatalError ??= error;
        },
      ),
    );
  }

  /** Resolves once a change sent from now on is acknowledged. */
  nextAcknowledged(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push({ sinceMs: Date.now(), resolve }));
  }

  #resolveWaiters(sentAtMs: number): void {
    const answerable = this.#waiters.filter(({ sinceMs }) => sinceMs <= sentAtMs);
    this.#waiters = this.#waiters.filter(({ sinceMs }) => sinceMs > sentAtMs);
    for (const { resolve } of answerable) resolve();
  }

  /** Begins no new changes; resolves once all pending ones are answered, or after `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    await Promise.race([Promise.all(this.#clients), sleep(withinMs, undefined, { ref: false })]);
  }

  /** Retries up to `count` of the acknowledged changes once more, at the end of a run. */
  async retryOpen(count: number): Promise<void> {
    const sampled = this.#sample.toSorted(() => this.#random() - 0.5).slice(0, count);
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let index = worker; index < sampled.length; index += 8)
          await this.#askPending(sampled[index]!);
      }),
    );
  }

  async #run(mix: Mix, number: number): Promise<void> {
    while (!this.#isStopping) {
      const repeatedChange = this.#sample[Math.floor(this.#random() * this.#sample.length)];
      if (repeatedChange && this.#random() < 0.03) {
        await this.#askPending(repeatedChange);
        continue;
      }
      const change = await mix.createNext(number);
      if (change) await this.#make(change);
      else await sleep(5);
    }
  }

  async #make(change: Change): Promise<void> {
    const { id } = change.input;
    this.openKeys.set(change.key, {
      userId: change.person.userId,
      kind: change.kind,
      id: typeof id === "string" ? id : null,
    });
    // Sometimes sends the same key twice concurrently, like an impatient client.
    const twice = this.#random() < 0.03 ? this.#ask(change) : null;
    const [answeredChange, two] = await Promise.all([this.#ask(change), twice]);
    // One of the two may be refused by a rule that no longer applies to the other.
    const answeredOne = answeredChange ?? two;
    if (!answeredOne) return;
    const { answer } = answeredOne;
    this.openKeys.delete(change.key);
    const lasting = describeLasting(change, answer);
    if (two && describeLasting(change, two.answer) !== lasting)
      this.contradictions.push(change.key);
    const { kind, key, person } = change;
    await this.#record.add({
      kind,
      key,
      userId: person.userId,
      lastingFields: lasting,
      balanceChanges: change.balanceChanges?.(answer) ?? null,
      act: change.act?.(answer) ?? null,
      resentAtMs: answeredOne.resentAtMs,
    });
    this.acknowledgedCounts.set(kind, (this.acknowledgedCounts.get(kind) ?? 0) + 1);
    this.#resolveWaiters(answeredOne.sentAtMs);
    if (this.#sample.length < sampleMax && this.#random() < 0.05)
      this.#sample.push({ change, lasting });
    change.onAnswer?.(answer);
  }

  /**
   * Retries a change acknowledged long ago, perhaps before a kill: the same key must get the same
   * answer.
   */
  async #askPending({ change, lasting }: { change: Change; lasting: string }): Promise<void> {
    let reason = "refused for too long";
    const onRefused = (name: string) => {
      reason = name;
    };
    const secondAnswer = await this.#ask({ ...change, onRefusal: onRefused });
    this.retryCount += 1;
    if (secondAnswer === null)
      this.contradictions.push(`${change.key} (${change.kind}: ${reason})`);
    else if (describeLasting(change, secondAnswer.answer) !== lasting)
      this.contradictions.push(`${change.key} (${change.kind}: another answer)`);
  }

  /** The answer to a change, retried as often as needed; null if it was refused. */
  async #ask(change: Change): Promise<AnsweredChange | null> {
    let resentAtMs: number | null = null;
    let refusedSinceMs: number | null = null;
    const { path, input, attachment, key } = change;
    const { token } = change.person;
    for (;;) {
      const sentAtMs = Date.now();
      try {
        const answer = await this.#client.call<Answer>({
          method: "POST",
          path,
          input,
          token,
          key,
          ...(attachment && { attachment }),
        });
        return { answer, sentAtMs, resentAtMs };
      } catch (error) {
        if (error instanceof NoAnswerError) {
          this.unanswered += 1;
          refusedSinceMs = null;
        } else if (!(error instanceof ApiError)) throw error;
        else if (await this.#isFinal(change, error.error)) return null;
        else {
          refusedSinceMs ??= sentAtMs;
          // The key stays open: whether it counts is determined in the database.
          if (sentAtMs - refusedSinceMs > refusedMaxMs) return null;
        }
        await sleep(againMs * (0.5 + Math.random()));
        resentAtMs = Date.now();
      }
    }
  }

  async #isFinal(change: Change, name: string): Promise<boolean> {
    this.refusals.set(name, (this.refusals.get(name) ?? 0) + 1);
    if (await change.remedy?.(name)) return false;
    if (isRetryable(name)) return false;
    this.openKeys.delete(change.key);
    change.onRefusal?.(name);
    return true;
  }
}
