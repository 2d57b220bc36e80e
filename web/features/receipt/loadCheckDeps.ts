import type { AnswerOf } from "#api/call.ts";
import { getSeconds } from "#api/routes/market.ts";
import { getLogState } from "#api/routes/transparencyLog.ts";
import type { CheckDeps } from "#web/features/receipt/check.ts";
import { createLogReader } from "#web/features/receipt/logReader.ts";
import { loadVerifier } from "#web/features/receipt/logView.ts";
import { readWitnessKeys } from "#web/features/receipt/witnesses.ts";
import { client } from "#web/lib/api/client.ts";
import { browserCheckpointStore } from "./checkpointStore.ts";

type LogState = AnswerOf<typeof getLogState>;

const logReader = createLogReader();

/**
 * Everything a check in this browser needs. Rejects with an ApiError when the log's state cannot be
 * fetched.
 */
export async function loadCheckDeps(): Promise<CheckDeps & { state: LogState }> {
  const [{ data: state }, verify, dayLeaf] = await Promise.all([
    client.call(getLogState, {}),
    loadVerifier(),
    // Only shown beside a receipt; every check is made without it too.
    client.call(getSeconds, {}).then(
      ({ data }) => data.day_leaf,
      () => null,
    ),
  ]);
  const witnessKeys = readWitnessKeys();
  // Without witnesses the file is missing: asking for it would only be an error in the console.
  const isCosigned = state.witnesses.length > 0 || witnessKeys.length > 0;
  return {
    reader: isCosigned ? logReader : { ...logReader, cosigned: async () => null },
    servedLog: {
      origin: state.origin,
      vkeys: state.keys.map(({ vkey }) => vkey),
      successions: state.successions,
    },
    store: browserCheckpointStore,
    witnessKeys,
    verify,
    nowMs: Date.now(),
    dayLeaf,
    state,
  };
}
