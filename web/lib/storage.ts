/**
 * Everything that this browser keeps, by the name without its prefix. Promise 9 lists it to whoever
 * asks (docs/rules/help.md).
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
  | "log"
  | "receipt_checked"
  | "steps"
  | "read_news"
  | "dismissed_notices"
  | "withdrawal_questions"
  | "withdrawal_questions_away"
  | "chart.interval"
  | "chart.indicators";

/** What is kept for this tab alone. */
export type TabName = "invite" | `publishing/${string}`;

const prefix = "drydock.";
/**
 * The wire names it: every request carries a `language` header from here (product.md, section 2).
 */
const bare = "language";

export interface BrowserStorage<Name extends string> {
  /** Null when nothing is kept, or storage is refused. */
  read: (name: Name) => string | null;
  /** What is kept as JSON may be anything by now, null when it is none: whoever reads it checks. */
  readJson: (name: Name) => unknown;
  /**
   * Null removes it. False when storage is refused or full (a private window): then it lasts as
   * long as the page.
   */
  write: (name: Name, value: string | null) => boolean;
  /** Names that are kept and begin so. */
  names: (start: Name) => string[];
}

function keyOf(name: string): string {
  return name === bare ? name : prefix + name;
}

/**
 * Storage of a browser that may refuse even to name it, for which reason it is asked anew each
 * time.
 */
function createStorage<Name extends string>(storage: () => Storage): BrowserStorage<Name> {
  const read = (name: Name) => {
    try {
      return storage().getItem(keyOf(name));
    } catch {
      return null;
    }
  };
  return {
    read,
    readJson: (name) => {
      try {
        return JSON.parse(read(name) ?? "null");
      } catch {
        return null;
      }
    },
    write: (name, value) => {
      try {
        if (value === null) storage().removeItem(keyOf(name));
        else storage().setItem(keyOf(name), value);
        return value === null || storage().getItem(keyOf(name)) === value;
      } catch {
        return false;
      }
    },
    names: (start) => {
      try {
        const keys = Object.keys(storage()).filter((key) => key.startsWith(keyOf(start)));
        return keys.map((key) => key.slice(prefix.length));
      } catch {
        return [];
      }
    },
  };
}

export const browserStorage = createStorage<StoredName>(() => localStorage);
export const tabStorage = createStorage<TabName>(() => sessionStorage);
