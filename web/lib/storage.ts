/**
 * Everything this browser stores, by name without the prefix. The list is shown to readers under
 * promise 9 (docs/rules/help.md).
 */
export type StoredName =
  | "language"
  | "theme"
  | "habit"
  | "hidden"
  | "display"
  | "wallet"
  | "practice"
  | "practice.backed_up"
  | "last_user"
  | "invite_asked"
  | "class"
  | "log"
  | "witnesses"
  | "acknowledgements"
  | "receipts"
  | "receipt_checked"
  | "fraud_met"
  | "thousand_run"
  | "steps"
  | "read_news"
  | "dismissed_notices"
  | "withdrawal_questions"
  | "withdrawal_questions_away"
  | "chart.interval"
  | "chart.indicators"
  | "chart.kind"
  | "trade.keys";

/** Names of values stored for this tab only. */
export type TabName = "invite" | "scroll" | "tabs" | `publishing/${string}`;

const prefix = "drydock.";
/** Without prefix because the wire names it: every request sends it as the `language` header. */
const unprefixed = "language";

export interface BrowserStorage<Name extends string> {
  /** Null when nothing is stored or storage is refused. */
  read: (name: Name) => string | null;
  /**
   * A stored JSON value may be anything, and null if it does not parse: the caller validates it.
   */
  readJson: (name: Name) => unknown;
  /**
   * Null removes it. False when storage is refused or full (a private window): the value then lasts
   * only as long as the page.
   */
  write: (name: Name, value: string | null) => boolean;
  /** Stored names with that prefix. */
  names: (start: Name) => string[];
}

function toKey(name: string): string {
  return name === unprefixed ? name : prefix + name;
}

/** Wraps a browser's storage, which may throw on mere access and so is looked up on each use. */
function createStorage<Name extends string>(storage: () => Storage): BrowserStorage<Name> {
  const readItem = (name: Name) => {
    try {
      return storage().getItem(toKey(name));
    } catch {
      return null;
    }
  };
  return {
    read: readItem,
    readJson: (name) => {
      try {
        return JSON.parse(readItem(name) ?? "null");
      } catch {
        return null;
      }
    },
    write: (name, value) => {
      try {
        if (value === null) storage().removeItem(toKey(name));
        else storage().setItem(toKey(name), value);
        return value === null || storage().getItem(toKey(name)) === value;
      } catch {
        return false;
      }
    },
    names: (start) => {
      try {
        const keys = Object.keys(storage()).filter((key) => key.startsWith(toKey(start)));
        return keys.map((key) => key.slice(prefix.length));
      } catch {
        return [];
      }
    },
  };
}

export const browserStorage = createStorage<StoredName>(() => localStorage);
export const tabStorage = createStorage<TabName>(() => sessionStorage);
