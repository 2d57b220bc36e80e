/** What a tool lacks, in a sentence for whoever started it; printed without a stack trace. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}
