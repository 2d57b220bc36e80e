import type { Config } from "#api/meta.ts";
import { getConfig } from "#api/routes/meta.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

const refetchMs = 5 * 60_000;

/**
 * The configuration of this instance; undefined until it has come. Asked again every five minutes.
 */
export function useConfig(): Config | undefined {
  return useConfigQuery().data;
}

/** The same with its state, for the screen that shows when it fails. */
export function useConfigQuery() {
  return useApiQuery(getConfig, {}, { staleMs: refetchMs, refetchMs });
}
