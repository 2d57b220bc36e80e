import type { ExportChunks } from "#server/platform/db/personRows.ts";

/** A domain's export about a person. */
interface ExportedData {
  /**
   * Merged into `<name>.json` with what other domains write there; integers as bigint or number,
   * bytes as Buffer.
   */
  json: unknown;
  files?: { name: string; bytes: Uint8Array }[];
}

/**
 * A domain's data about a person, in one file of the archive. Every function is idempotent and
 * accepts a person without data.
 */
export interface PersonalDataSource {
  /** The file's name without extension; several domains may write to the same one. */
  name: string;
  exportFor?: (userId: string) => Promise<ExportedData>;
  /** Long lists, each streamed to `<name>/<list>.json`. */
  lists?: Readonly<Record<string, (userId: string) => ExportChunks>>;
  /** Files read one at a time, each written to `<name>/<file>`. */
  blobs?: (userId: string) => AsyncIterable<{ name: string; bytes: Uint8Array }>;
  /**
   * Removes every text, personal field and file, once the person's sessions have ended. Null when
   * nothing is removed, because the data explains postings.
   */
  erase: ((userId: string) => Promise<void>) | null;
}

/**
 * All personal data under one name. Data that no module declares is neither exported nor erased.
 */
export interface PersonalData {
  name: string;
  exportFor: (
    userId: string,
  ) => Promise<{ json: unknown; files: { name: string; bytes: Uint8Array }[] }>;
  lists: Readonly<Record<string, (userId: string) => ExportChunks>>;
  blobs: (userId: string) => AsyncIterable<{ name: string; bytes: Uint8Array }>;
  erase: (userId: string) => Promise<void>;
}

/**
 * Merges sources of the same name, sorted by name, so that neither the archive nor the order of
 * erasure depends on module order. Throws when two write the same list.
 */
export function joinByName(sources: readonly PersonalDataSource[]): PersonalData[] {
  const groups = [...Map.groupBy(sources, ({ name }) => name)];
  groups.sort(([name], [other]) => (name < other ? -1 : 1));
  return groups.map(([name, sources]) => {
    if (!/^[a-z_]{1,40}$/.test(name))
      throw new RangeError(`${name} is not a valid name for personal data`);
    const lists = sources.flatMap((source) => Object.entries(source.lists ?? {}));
    if (new Set(lists.map(([list]) => list)).size < lists.length)
      throw new Error(`two domains write the same list in ${name}`);
    return {
      name,
      exportFor: async (userId) => {
        const exportedParts = await Promise.all(
          sources.map((source) => source.exportFor?.(userId)),
        );
        const parts = exportedParts.filter((part) => part !== undefined);
        return {
          json:
            parts.length === 1
              ? parts[0]!.json
              : Object.assign({}, ...parts.map(({ json }) => json)),
          files: parts.flatMap(({ files }) => files ?? []),
        };
      },
      lists: Object.fromEntries(lists),
      blobs: async function* blobs(userId) {
        for (const source of sources) yield* source.blobs?.(userId) ?? [];
      },
      erase: async (userId) => {
        for (const source of sources) await source.erase?.(userId);
      },
    };
  });
}
