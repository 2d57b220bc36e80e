/** Characters at each end that people compare. */
const endLength = 4;

/**
 * The ends of an address that people look at: the first four characters after the human-readable
 * part, and the last four.
 */
function getEnds(address: string): string {
  const data = address.slice(address.lastIndexOf("1") + 1);
  return `${data.slice(0, endLength)}…${data.slice(-endLength)}`;
}

/**
 * Returns the address in use that `address` could be mistaken for: a different one with the same
 * ends. Attackers generate such addresses so that victims copy the wrong one from their records.
 * Null when there is none, or when `address` is itself in use.
 */
export function findLookAlike(address: string, inUse: readonly string[]): string | null {
  if (inUse.includes(address)) return null;
  const ends = getEnds(address);
  return inUse.find((candidate) => getEnds(candidate) === ends) ?? null;
}
