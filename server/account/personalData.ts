/** What a domain gives out about a person. */
interface Exported {
  /** Written to `<name>.json`; integers as bigint or number, bytes as Buffer. */
  json: unknown;
  files?: { name: string; bytes: Uint8Array }[];
}

/** Rows of a list that may be long, in portions. */
export type Portions = AsyncIterable<readonly object[]>;

/** What one domain holds of a person. Both functions may be called again at any time, with nothing there too. */
export interface Holding {
  exportOf(userId: string): Promise<Exported>;
  /** Long lists, each written to `<name>/<list>.json` while it is read. */
  lists?: Readonly<Record<string, (userId: string) => Portions>>;
  /** Files that are read one at a time, each written to `<name>/<file>`. */
  blobs?(userId: string): AsyncIterable<{ name: string; bytes: Uint8Array }>;
  /** Removes every text, personal field and file, once the person's sessions have ended. */
  erase(userId: string): Promise<void>;
}

/** Everything that is held about people, by domain: what is not registered here is neither exported nor erased. */
export interface Holdings {
  /** Erasing goes in the order of registering. */
  register(name: string, holding: Holding): void;
  all(): ReadonlyMap<string, Holding>;
}

export function createHoldings(): Holdings {
  const holdings = new Map<string, Holding>();
  return {
    register: (name, holding) => {
      if (!/^[a-z_]{1,40}$/.test(name)) throw new RangeError(`${name} is no name of a holding`);
      if (holdings.has(name)) throw new Error(`the holding ${name} is registered twice`);
      holdings.set(name, holding);
    },
    all: () => holdings,
  };
}
