/** PostgreSQL rolled the transaction back because of others: the same again may work. */
const collisions = new Set(["40001", "40P01", "55P03"]);

/** The connection or the server went away; whether the transaction was committed is not known. */
const losses = new Set([
  "57P01",
  "57P02",
  "57P03",
  "25P03",
  "53300",
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
]);

/**
 * What a failed batch means. `collision`: rolled back, try again. `lost`: perhaps committed, ask
 * again with the same ids (posting is idempotent, so asking is posting). `full`: disk or memory ran
 * out; rolled back, and trying smaller batches would only make it worse. `final`: rolled back, and
 * the same would fail again.
 */
export type Failure = "collision" | "lost" | "full" | "final";

export function failureOf(error: unknown): Failure {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === "string") {
    if (collisions.has(code)) return "collision";
    if (losses.has(code) || code.startsWith("08")) return "lost";
    return code.startsWith("53") || code.startsWith("58") ? "full" : "final";
  }
  const lost =
    /connection terminated|connection ended|not queryable|timeout exceeded when trying to connect/i;
  return lost.test(String(message)) ? "lost" : "final";
}
