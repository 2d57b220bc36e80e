/** A failure the user can fix, in one sentence; printed without a stack trace. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}
