/**
 * Whether a refusal is about the PIN: the sheet that asks for it stays open, or opens, with its
 * sentence.
 */
export function isPinError(error: string): boolean {
  return error === "pin.required" || error === "pin.wrong" || error === "pin.locked";
}
