import type { Bodies } from "#api/operator/publishing.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";
import { listLive, readLastModified } from "#server/publishing/store.ts";
import type { PublicationRow } from "#server/publishing/types.ts";

/** The longest lag between publication and the people's view, in real milliseconds. */
const freshMs = 1_000;

/** A publication that people see now. */
interface LiveItem<Name extends Kind> {
  row: PublicationRow;
  body: Bodies[Name];
}

/**
 * The live publications, read and parsed once per change: every page of the app asks for notices.
 */
export function createLiveCache({
  database: { db },
  realClock,
}: Pick<AppContext, "database" | "realClock">) {
  const cache = new Map<Kind, { lastModified: string; items: Promise<LiveItem<Kind>[]> }>();
  const stamps = createTtlCache<Kind, string>((kind) => readLastModified(db, kind), {
    ttlMs: freshMs,
    clock: realClock,
    shouldCache: () => true,
  });
  const readItems = async (kind: Kind): Promise<LiveItem<Kind>[]> =>
    (await listLive(db, kind)).map((row) => ({ row, body: JSON.parse(row.live!.body) }));
  return {
    /** Newest first. */
    of: async <Name extends Kind>(kind: Name): Promise<readonly LiveItem<Name>[]> => {
      const lastModified = await stamps.get(kind);
      let cached = cache.get(kind);
      if (cached?.lastModified !== lastModified) {
        cached = { lastModified, items: readItems(kind) };
        cache.set(kind, cached);
        cached.items.catch(() => cache.delete(kind));
      }
      return (await cached.items) as unknown as LiveItem<Name>[];
    },
    invalidate: (kind: Kind) => stamps.invalidate(kind),
  };
}
