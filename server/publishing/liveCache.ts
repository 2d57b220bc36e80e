import type { Bodies } from "#api/operator/publishing.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import type { Parts } from "#server/platform/context.ts";
import { keepBriefly } from "#server/platform/ttlCache.ts";
import { listLive, readStamp } from "#server/publishing/store.ts";
import type { PublicationRow } from "#server/publishing/types.ts";

/** What people see changes at most this much later than it was published, in real milliseconds. */
const freshMs = 1_000;

export interface Live<Name extends Kind> {
  row: PublicationRow;
  body: Bodies[Name];
}

/** What people see now, read and parsed once for each change of it: every page of the app asks for notices. */
export function createLive({ database: { db }, realClock }: Pick<Parts, "database" | "realClock">) {
  const known = new Map<Kind, { stamp: string; items: Promise<Live<Kind>[]> }>();
  const stamps = keepBriefly<Kind, string>((kind) => readStamp(db, kind), {
    forMs: freshMs,
    clock: realClock,
    keeps: () => true,
  });
  const read = async (kind: Kind): Promise<Live<Kind>[]> =>
    (await listLive(db, kind)).map((row) => ({ row, body: JSON.parse(row.live!.body) }));
  return {
    /** The newest first. */
    of: async <Name extends Kind>(kind: Name): Promise<readonly Live<Name>[]> => {
      const stamp = await stamps.get(kind);
      let kept = known.get(kind);
      if (kept?.stamp !== stamp) {
        kept = { stamp, items: read(kind) };
        known.set(kind, kept);
        kept.items.catch(() => known.delete(kind));
      }
      return (await kept.items) as unknown as Live<Name>[];
    },
    forget: (kind: Kind) => stamps.forget(kind),
  };
}
