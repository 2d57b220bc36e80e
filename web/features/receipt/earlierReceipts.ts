import {
  contradictionOf,
  factsShownBy,
  fromStored,
  nothingShown,
  remember,
  type ShownFacts,
  toStored,
} from "#core/records/shownFacts.ts";
import type { EarlierReceipts } from "#web/features/receipt/check.ts";
import { browserStorage } from "#web/lib/storage.ts";

/** Where it is stored what receipts showed, of one log. */
export interface ShownStore {
  read(origin: string): ShownFacts;
  write(origin: string, shown: ShownFacts): void;
}

/** The browser's own storage; a private window that refuses it stores nothing. */
const browserStore: ShownStore = {
  read: (origin) => {
    const stored = browserStorage.readJson("receipts") as { origin?: unknown } | null;
    return (stored?.origin === origin && fromStored(stored)) || nothingShown();
  },
  write: (origin, shown) =>
    void browserStorage.write("receipts", JSON.stringify({ origin, ...toStored(shown) })),
};

/** Compares receipts as docs/formats/comparison.md says. */
export const earlierReceiptsIn = (store: ShownStore): EarlierReceipts => ({
  compare: (origin, receipt, leaves) => {
    const known = store.read(origin);
    const shown = factsShownBy(receipt, leaves);
    const found = contradictionOf(known, shown);
    if (!found) store.write(origin, remember(known, shown));
    const same = [...shown.facts.keys()].filter((subject) => known.facts.has(subject)).length;
    const inputs = found ? { subject: found.subject } : { facts: shown.facts.size, compared: same };
    return { step: "compared", ok: !found, problem: found?.difference ?? null, inputs };
  },
});

/** Those that this browser has checked. */
export const earlierReceipts = earlierReceiptsIn(browserStore);
