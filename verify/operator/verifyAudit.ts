import { type FollowedLog, openAndFollow, openSource, type SourceOptions } from "../source.ts";
import { checkChain } from "./chain.ts";

/**
 * Opens and follows the log, then checks its audit chain against the head that the instance
 * reports. Resolves with sentences; rejects with a MismatchError.
 */
export async function verifyAudit(
  options: SourceOptions,
): Promise<Pick<FollowedLog, "lines" | "archive">> {
  const source = openSource(options);
  const { reader, lines, archive } = await openAndFollow(source, options);
  const { size } = reader.checkpoint;
  const { head } = (await source.instance.call(`/api/log/getAuditHead?size=${size}`)) as {
    head: unknown;
  };
  const checked = await checkChain(head, (index) => reader.leaf(index), size);
  return { lines: [...lines, ...checked], archive };
}
