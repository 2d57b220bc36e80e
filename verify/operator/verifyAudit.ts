import { openInstance, openLog } from "../instance.ts";
import { followLog } from "../log/checkpointStore.ts";
import { checkChain } from "./chain.ts";

/**
 * Opens and follows the log, then checks its audit chain against the head that the instance tells.
 * Resolves with sentences; rejects with a MismatchError.
 */
export async function verifyAudit(options: {
  url: string;
  memory: string;
  acceptNewLog: boolean;
}): Promise<string[]> {
  const instance = openInstance(options.url);
  const { reader, vkey, message } = await openLog(instance, options.memory, null);
  const followed = await followLog(options.memory, reader, { ...options, vkey });
  const { size } = reader.checkpoint;
  const { head } = (await instance.call(`/api/log/getAuditHead?size=${size}`)) as { head: unknown };
  const checked = await checkChain(head, (index) => reader.leaf(index), size);
  return [message, followed, ...checked];
}
