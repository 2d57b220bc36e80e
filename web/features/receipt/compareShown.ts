import {
  contradictionOf,
  factsShownBy,
  fromStored,
  nothingShown,
  remember,
  type ShownFacts,
  toStored,
} from "#core/records/shownFacts.ts";
import type { CheckStep } from "#web/features/receipt/check.ts";
import { browserStorage } from "#web/lib/storage.ts";

/** What this browser stores of receipts that agreed, by the log's origin. */
export interface ShownStore {
  read(origin: string): ShownFacts;
  write(origin: string, shown: ShownFacts): void;
}

/** The browser's own storage, of one log; a private window that refuses it stores nothing. */
export const browserShownStore: ShownStore = {
  read: (origin) => {
    const stored = browserStorage.readJson("receipts") as { origin?: unknown } | null;
    return (stored?.origin === origin && fromStored(stored)) || nothingShown();
  },
  write: (origin, shown) =>
    void browserStorage.write("receipts", JSON.stringify({ origin, ...toStored(shown) })),
};

/**
 * Compares a receipt that agrees with those before it (docs/formats/comparison.md), and remembers
 * it unless it contradicts them.
 */
export function compareShown(
  store: ShownStore,
  origin: string,
  receipt: unknown,
  leaves: ReadonlyMap<number, Uint8Array>,
): CheckStep {
  const known = store.read(origin);
  const shown = factsShownBy(receipt, leaves);
  const found = contradictionOf(known, shown);
  if (!found) store.write(origin, remember(known, shown));
  const same = [...shown.facts.keys()].filter((subject) => known.facts.has(subject)).length;
  const inputs = found ? { subject: found.subject } : { facts: shown.facts.size, compared: same };
  return { step: "compared", ok: !found, problem: found?.difference ?? null, inputs };
}
