import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useText } from "#i18n/useText.ts";
import { LogReadError } from "#web/features/receipt/logReader.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Opens the log at its latest checkpoint and compares it with the one this browser stored. */
export async function openFollowedLog() {
  const [{ loadCheckDeps }, { followLog }] = await Promise.all([
    import("#web/features/receipt/loadCheckDeps.ts"),
    import("#web/features/receipt/checkpointStore.ts"),
  ]);
  const tools = await loadCheckDeps();
  const { reader, servedLog, store, verify, nowMs } = tools;
  const followResult = await followLog(reader, servedLog, store, verify, nowMs);
  const { createEmptyReport, readCosignatures } = await import(
    "#web/features/receipt/witnesses.ts"
  );
  const { witnessKeys: keys } = tools;
  const witnesses = createEmptyReport(keys);
  if (!followResult.ok) return { state: tools.state, store, followed: followResult, witnesses };
  const vkeys = [...servedLog.vkeys, ...(followResult.before?.vkeys ?? [])];
  const result = await readCosignatures(reader, followResult.view, vkeys, { keys, nowMs }, verify);
  if (!result.ok) {
    const refusal = { ok: false, error: result.error } as const;
    return { state: tools.state, store, followed: refusal, witnesses };
  }
  return { state: tools.state, store, followed: followResult, witnesses: result.report };
}

/** The log as this browser sees it, refetched every ten seconds. */
export function useLog() {
  return useQuery({
    queryKey: ["log", "followed"],
    queryFn: openFollowedLog,
    refetchInterval: 10_000,
  });
}

/** The message for a log that cannot be read, or any other failure. */
export function useLogErrorMessage(): (error: unknown) => string {
  const t = useText();
  const errorMessage = useErrorMessage();
  return useCallback(
    (failure) =>
      failure instanceof LogReadError
        ? t(`receipt.problem.${failure.problem}`)
        : errorMessage(failure),
    [t, errorMessage],
  );
}
