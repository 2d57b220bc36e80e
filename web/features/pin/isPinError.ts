/**
 * Returns true if an error is about the PIN: the sheet that asks for it then opens or stays open,
 * with its message.
 */
export function isPinError(error: string): boolean {
  return error === "pin.required" || error === "pin.wrong" || error === "pin.locked";
}
