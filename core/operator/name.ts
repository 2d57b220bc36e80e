/** Maximum length in characters of an operator's name, which other operators see. */
export const nameMax = 40;

/** Normalises a name for storage; null when it is empty or too long. */
export function parseName(input: string): string | null {
  const name = input.trim().replaceAll(/\s+/g, " ");
  return name !== "" && Array.from(name).length <= nameMax ? name : null;
}
