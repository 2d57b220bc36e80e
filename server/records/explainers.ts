import type { JournalRecords, OrdersOf, RecordExplanation } from "#server/records/types.ts";

export interface Explainers {
  /** The orders in a journal's receipt. */
  orders: OrdersOf;
  /** Prefixes of the kinds that have an explainer. */
  prefixes(): string[];
  /** Explanations of the journals, by id; those without one are omitted. */
  explain(
    journals: readonly { journalId: string; kind: string }[],
  ): Promise<Map<string, RecordExplanation>>;
}

const getPrefix = (kind: string) => kind.split(".", 1)[0] as string;

export function createExplainers(contributions: {
  readonly records: readonly JournalRecords[];
}): Explainers {
  const getExplainer = (kind: string) =>
    contributions.records.find(({ prefix }) => prefix === kind)?.explain;
  return {
    orders: async (ordersQuery) => {
      const prefix = getPrefix(ordersQuery.kind);
      const record = contributions.records.find(
        (journalRecords) => journalRecords.prefix === prefix && journalRecords.orders,
      );
      return (await record?.orders?.(ordersQuery)) ?? [];
    },
    prefixes: () =>
      contributions.records.flatMap(({ prefix, explain }) => (explain ? [prefix] : [])),
    explain: async (journals) => {
      const groups = Map.groupBy(journals, ({ kind }) => getPrefix(kind));
      const explanations = await Promise.all(
        [...groups].map(async ([prefix, group]) => {
          const explain = getExplainer(prefix);
          return explain ? explain(group.map(({ journalId }) => journalId)) : new Map();
        }),
      );
      return new Map(explanations.flatMap((item) => [...item]));
    },
  };
}
