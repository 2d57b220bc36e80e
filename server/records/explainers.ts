import type { Explain, RecordExplainers, RecordExplanation } from "#server/records/types.ts";

export interface Explainers extends RecordExplainers {
  /** Prefixes of kinds that somebody explains. */
  prefixes(): string[];
  /** What explains the journals, by id; those that nobody knows are left out. */
  explain(
    journals: readonly { journalId: string; kind: string }[],
  ): Promise<Map<string, RecordExplanation>>;
}

const prefixOf = (kind: string) => kind.split(".", 1)[0] as string;

export function createExplainers(): Explainers {
  const known = new Map<string, Explain>();
  return {
    explainer: (kindPrefix, explain) => {
      if (known.has(kindPrefix)) throw new Error(`${kindPrefix} is explained twice`);
      known.set(kindPrefix, explain);
    },
    prefixes: () => [...known.keys()],
    explain: async (journals) => {
      const groups = Map.groupBy(journals, ({ kind }) => prefixOf(kind));
      const found = await Promise.all(
        [...groups].map(async ([prefix, group]) => {
          const explain = known.get(prefix);
          return explain ? explain(group.map(({ journalId }) => journalId)) : new Map();
        }),
      );
      return new Map(found.flatMap((one) => [...one]));
    },
  };
}
