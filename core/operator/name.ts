/** Longest name that other operators see, in characters. */
export const nameMax = 40;

/** A name as it is kept; null when nothing is left of it, or too much. */
export function readName(typed: string): string | null {
  const name = typed.trim().replaceAll(/\s+/g, " ");
  return name !== "" && Array.from(name).length <= nameMax ? name : null;
}
