import type { AnswerOf } from "#api/call.ts";
import { getLogState } from "#api/routes/transparencyLog.ts";
import type { CheckDeps } from "#web/features/receipt/check.ts";
import { createLogReader } from "#web/features/receipt/logReader.ts";
import { loadVerify } from "#web/features/receipt/logView.ts";
import { browserCheckpointStore } from "#web/features/receipt/memory.ts";
import { readWitnessKeys } from "#web/features/receipt/witnesses.ts";
import { client } from "#web/lib/api/client.ts";

type LogState = AnswerOf<typeof getLogState>;

const reader = createLogReader();

/**
 * Everything a check in this browser needs. Rejects with an ApiError when the log's state cannot be
 * fetched.
 */
export async function loadCheckDeps(): Promise<CheckDeps & { state: LogState }> {
  const [{ data: state }, verify] = await Promise.all([client.call(getLogState, {}), loadVerify()]);
  return {
    reader,
    served: { origin: state.origin, vkeys: state.keys.map(({ vkey }) => vkey) },
    store: browserCheckpointStore,
    witnessKeys: readWitnessKeys(),
    verify,
    nowMs: Date.now(),
    state,
  };
}
