import { readShownFacts, writeShownFacts } from "./log/checkpointStore.ts";
import {
  abridgeFacts,
  createShownFacts,
  extractFacts,
  mergeFacts,
  requireNoContradiction,
  type ShownFacts,
} from "./records/comparison.ts";

/** The log that a receipt was checked against. */
export interface ComparedLog {
  origin: string;
  vkey: string;
  /** True if the reader knows the key; otherwise anyone could have signed. */
  known: boolean;
  /**
   * True if it may be stored. An archive's facts are not, because its log ends at an arbitrary
   * point.
   */
  stored: boolean;
}

/**
 * Compares receipts that agree with the log with the facts of earlier receipts, of this run and of
 * previous ones (docs/formats/comparison.md).
 */
export class Comparison {
  readonly #file: string;
  readonly #stored: Readonly<Record<string, ShownFacts>>;
  /** Keyed by the log's origin, and by its key too if the key is unknown. */
  readonly #shown = new Map<string, ShownFacts>();
  readonly #toStore = new Set<string>();

  constructor(file: string) {
    this.#file = file;
    this.#stored = readShownFacts(file);
  }

  /** Resolves with a sentence; rejects with a MismatchError where two receipts contradict each other. */
  async compare(
    { origin, vkey, known, stored: isStored }: ComparedLog,
    receipt: unknown,
    leaves: ReadonlyMap<number, Uint8Array>,
  ): Promise<string> {
    const log = known ? origin : `${origin} ${vkey}`;
    const storedShown = known ? this.#stored[origin] : undefined;
    const earlierFacts = this.#shown.get(log) ?? storedShown ?? createShownFacts();
    const facts = extractFacts(receipt, leaves);
    requireNoContradiction(earlierFacts, facts);
    this.#shown.set(log, mergeFacts(earlierFacts, facts));
    if (known && isStored) this.#toStore.add(origin);
    const count = Object.keys(facts.facts).filter(
      (subject) => subject in earlierFacts.facts,
    ).length;
    return count === 0
      ? "No earlier receipt says anything of what this one shows."
      : `${count} of the facts that it shows are those of earlier receipts.`;
  }

  /** Stores the shown facts for the next run; does nothing if there are none. */
  async save(): Promise<void> {
    if (this.#toStore.size === 0) return;
    const abridgedFacts = [...this.#toStore].map(
      (origin) => [origin, abridgeFacts(this.#shown.get(origin) ?? createShownFacts())] as const,
    );
    await writeShownFacts(this.#file, { ...this.#stored, ...Object.fromEntries(abridgedFacts) });
  }
}
