/** A new seed of eight hexadecimal digits. */
export function createRunSeed(): string {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return word.toString(16).padStart(8, "0");
}

export const seedLengthMax = 40;
