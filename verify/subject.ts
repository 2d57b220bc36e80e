import { existsSync, readFileSync, statSync } from "node:fs";
import { bytesMax } from "./evidence/evidenceSchema.ts";
import { CannotCheckError, type Instance } from "./instance.ts";

/** Subjects to check: receipt files, and the ids of receipts that an instance serves. */

interface FetchOptions {
  token: string | undefined;
  newest: boolean;
}

/** The JSON of a file. Throws a CannotCheckError for none, or a larger one than any receipt. */
export function readFile(path: string): unknown {
  if (statSync(path).size > bytesMax)
    throw new CannotCheckError(
      `${path} has more than ${bytesMax} bytes, as no receipt or evidence file has.`,
    );
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new CannotCheckError(`Cannot read ${path} as JSON.`);
  }
}

/** The call that returns a receipt, by the prefix of its id. */
const calls: Record<string, string> = {
  "": "/api/contract/getReceipt?order_id=",
  "journal:": "/api/record/getReceipt?journal_id=",
  "lease:": "/api/machine/getReceipt?lease_id=",
  "hosting:": "/api/pledge/getReceipt?order_id=",
  "trade:": "/api/pledge/getTradeReceipt?trade_id=",
  "act:": "/api/record/getReceipt?journal_id=",
  "publication:": "/api/log/getPublication?publication=",
};

/** Public receipts, fetched without a token. */
const publicPrefixes = ["trade:", "mark:", "publication:"];

/** Reads a subject: a file, or through the call of the receipt that the id names. */
export function createReceiptReader(
  subject: string,
  options: FetchOptions,
  instance: () => Instance,
): () => Promise<unknown> {
  if (existsSync(subject)) return async () => readFile(subject);
  const mark = /^mark:([0-9a-z-]{1,64})\/([0-9]{1,16})$/.exec(subject);
  const match = /^(journal:|lease:|hosting:|trade:|act:|publication:)?([0-9a-zA-Z-]{8,64})$/.exec(
    subject,
  );
  const [, kind = "", id] = mark ? [subject, "mark:", mark[1]] : (match ?? []);
  if (id === undefined)
    throw new CannotCheckError(
      `${subject} is neither a file nor the id of an order, a journal, a lease, a pool's order, a trade, a mark, an act or a publication.`,
    );
  if (!options.token && !publicPrefixes.includes(kind))
    throw new CannotCheckError("This receipt is private: pass --token or a receipt file.");
  const call = mark
    ? `/api/pledge/getMarkReceipt?product_id=${id}&at_ms=${mark[2]}`
    : `${calls[kind]}${encodeURIComponent(id)}${options.newest && kind === "journal:" ? "&commitment=newest" : ""}`;
  return () => instance().call(call, options.token ?? "");
}
