import { evidenceLimits } from "#core/evidence/evidenceSchema.ts";

/** No receipt and no evidence file is larger; a larger file is something else. */
export const receiptTextMax = evidenceLimits.bytes;
/**
 * Deeper than any receipt in an evidence file; guards recursive walks against a text of nested
 * brackets.
 */
const depthMax = 17;

/** Parses pasted or opened text as a receipt or evidence; names what is wrong with it. */
export function parseReceiptText(
  text: string,
): { ok: true; receipt: unknown } | { ok: false; error: "empty" | "too_large" | "not_json" } {
  if (text.trim() === "") return { ok: false, error: "empty" };
  if (text.length > receiptTextMax) return { ok: false, error: "too_large" };
  try {
    const receipt: unknown = JSON.parse(text);
    if (
      typeof receipt === "object" &&
      receipt !== null &&
      !Array.isArray(receipt) &&
      isFlat(receipt, depthMax)
    ) {
      return { ok: true, receipt };
    }
  } catch {
    // The parse error is reported below.
  }
  return { ok: false, error: "not_json" };
}

function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isFlat(inner, levels - 1));
}
