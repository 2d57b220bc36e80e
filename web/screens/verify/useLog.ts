import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useText } from "#i18n/useText.ts";
import { LogReadError } from "#web/features/receipt/logReader.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

/** Opens the log at its newest checkpoint and compares it with what this browser remembers. */
export async function openFollowed() {
  const [{ loadTools }, { followLog }] = await Promise.all([
    import("#web/features/receipt/tools.ts"),
    import("#web/features/receipt/memory.ts"),
  ]);
  const tools = await loadTools();
  const { reader, served, place, verify, nowMs } = tools;
  const followed = await followLog(reader, served, place, verify, nowMs);
  return { state: tools.state, place, followed };
}

/** The log as this browser sees it, asked again every ten seconds. */
export function useLog() {
  return useQuery({
    queryKey: ["log", "followed"],
    queryFn: openFollowed,
    refetchInterval: 10_000,
  });
}

/** A sentence for a log that cannot be read, or any other failure. */
export function useLogSentence(): (failure: unknown) => string {
  const t = useText();
  const sentence = useSentence();
  return useCallback(
    (failure) =>
      failure instanceof LogReadError ? t(`receipt.problem.${failure.problem}`) : sentence(failure),
    [t, sentence],
  );
}
