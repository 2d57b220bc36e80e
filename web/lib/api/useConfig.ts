import type { Config } from "#api/meta.ts";
import { getConfig } from "#api/routes/meta.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

const refetchMs = 5 * 60_000;

/** The instance's configuration; undefined until loaded. Refetched every five minutes. */
export function useConfig(): Config | undefined {
  return useConfigQuery().data;
}

/** The configuration with its query state, for the screen that shows its failure. */
export function useConfigQuery() {
  return useApiQuery(getConfig, {}, { staleMs: refetchMs, refetchMs });
}
