/** How many characters at each end are what people compare. */
const shown = 4;

/**
 * The ends of an address that a person looks at: the first four characters after the part, and the
 * last four.
 */
function endsOf(address: string): string {
  const data = address.slice(address.lastIndexOf("1") + 1);
  return `${data.slice(0, shown)}…${data.slice(-shown)}`;
}

/**
 * The address in use that `address` could be mistaken for: same ends, another address. Such
 * addresses are made on purpose, so that whoever copies from their records copies the wrong one.
 * Null when there is none; an address that is itself in use is none.
 */
export function lookAlikeOf(address: string, inUse: readonly string[]): string | null {
  if (inUse.includes(address)) return null;
  const ends = endsOf(address);
  return inUse.find((other) => endsOf(other) === ends) ?? null;
}
