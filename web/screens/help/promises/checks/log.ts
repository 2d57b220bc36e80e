import { getConfig } from "#api/routes/meta.ts";
import {
  alarmingChanges,
  browserCheckpointStore,
  followLog,
} from "#web/features/receipt/checkpointStore.ts";
import { loadCheckDeps } from "#web/features/receipt/loadCheckDeps.ts";
import { openLog } from "#web/features/receipt/logView.ts";
import { findSecond } from "#web/features/receipt/priceSample.ts";
import { readCosignatures } from "#web/features/receipt/witnesses.ts";
import { client } from "#web/lib/api/client.ts";
import type { Check } from "./check.ts";

/** The number of seconds tried, each 20 real seconds further back, because there may be gaps. */
const tries = 5;

/**
 * Promise 5: the log's latest checkpoint is consistent with what this browser saw before, a recent
 * second is proven to be included, and its index values follow from its quotes.
 */
export const checkLog: Check = async () => {
  const [tools, { data: config }] = await Promise.all([
    loadCheckDeps(),
    client.call(getConfig, {}),
  ]);
  const { reader, servedLog, verify, nowMs } = tools;
  const result = await followLog(reader, servedLog, browserCheckpointStore, verify, nowMs);
  if (!result.ok || alarmingChanges.has(result.finding)) {
    return { outcome: "fails", messages: [{ id: "5.broken" }] };
  }
  const { view } = result;
  const speed = config.world.market.speed;
  for (let distance = 1; distance <= tries; distance += 1) {
    const secondMs = Math.floor((config.world.now_ms - distance * 20_000 * speed) / 1000) * 1000;
    const second = await findSecond(view, secondMs);
    if (!second) continue;
    const { index } = second.second;
    const differ = index.filter((value, index) => value !== second.recomputed[index]).length;
    const values = { leaf: second.leaf, size: view.checkpoint.size, count: index.length, differ };
    return { outcome: differ === 0 ? "holds" : "fails", messages: [{ id: "5.second", values }] };
  }
  return {
    outcome: "nothing",
    messages: [{ id: "5.none", values: { size: view.checkpoint.size } }],
  };
};

/** Promise 6: how many of the outside witnesses that the reader named signed the log. */
export const checkWitnesses: Check = async () => {
  const { reader, servedLog, verify, nowMs, witnessKeys: keys } = await loadCheckDeps();
  const openedLog = await openLog(reader, servedLog.origin, servedLog.vkeys, verify);
  if (!openedLog.ok) return { outcome: "fails", messages: [{ id: "5.broken" }] };
  const { checkpoint } = openedLog.view;
  const result = await readCosignatures(
    reader,
    openedLog.view,
    servedLog.vkeys,
    { keys, nowMs },
    verify,
  );
  if (!result.ok) return { outcome: "fails", messages: [{ id: "5.broken" }] };
  const { configured, count } = result.report;
  return {
    outcome: count > 0 ? "holds" : "unwitnessed",
    messages: [
      { id: "6.log", values: { size: checkpoint.size } },
      { id: "6.witnesses", values: { configured, count } },
    ],
  };
};
