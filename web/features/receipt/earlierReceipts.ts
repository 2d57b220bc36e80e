import {
  createShownFacts,
  extractFacts,
  findContradiction,
  mergeWithinLimits,
  parseStoredFacts,
  type ShownFacts,
  toStored,
} from "#core/records/shownFacts.ts";
import type { EarlierReceipts } from "#web/features/receipt/check.ts";
import { browserStorage } from "#web/lib/storage.ts";

/** Stores what the receipts of one log showed. */
export interface ShownFactsStore {
  read(origin: string): ShownFacts;
  write(origin: string, shown: ShownFacts): void;
}

/** The browser's own storage; a private window that refuses it stores nothing. */
const browserStore: ShownFactsStore = {
  read: (origin) => {
    const value = browserStorage.readJson("receipts") as { origin?: unknown } | null;
    return (value?.origin === origin && parseStoredFacts(value)) || createShownFacts();
  },
  write: (origin, shownFacts) =>
    void browserStorage.write("receipts", JSON.stringify({ origin, ...toStored(shownFacts) })),
};

/** Compares receipts as docs/formats/comparison.md says. */
export const createEarlierReceipts = (store: ShownFactsStore): EarlierReceipts => ({
  compare: (origin, receipt, leaves) => {
    const knownFacts = store.read(origin);
    const shownFacts = extractFacts(receipt, leaves);
    const contradiction = findContradiction(knownFacts, shownFacts);
    if (!contradiction) store.write(origin, mergeWithinLimits(knownFacts, shownFacts));
    const sharedCount = [...shownFacts.facts.keys()].filter((subject) =>
      knownFacts.facts.has(subject),
    ).length;
    const inputs = contradiction
      ? { subject: contradiction.subject }
      : { facts: shownFacts.facts.size, compared: sharedCount };
    return {
      step: "compared",
      ok: !contradiction,
      mismatch: contradiction?.difference ?? null,
      inputs,
    };
  },
});

/** The receipts that this browser has checked. */
export const earlierReceipts = createEarlierReceipts(browserStore);
