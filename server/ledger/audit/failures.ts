/** Conflict with other transactions: rolled back, and worth retrying. */
const collisions = new Set(["40001", "40P01", "55P03"]);

/** The connection or the server went away; whether the transaction committed is unknown. */
const losses = new Set([
  "57P01",
  "57P02",
  "57P03",
  "25P03",
  "25P04",
  "53300",
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
]);

/**
 * The consequence of a failed batch. `collision`: rolled back, retry. `lost`: possibly committed;
 * repeat with the same ids (posting is idempotent). `full`: disk or memory ran out; rolled back,
 * and smaller batches would only make it worse. `final`: rolled back, and a retry would fail again.
 */
export type BatchFailure = "collision" | "lost" | "full" | "final";

export function classifyFailure(error: unknown): BatchFailure {
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
