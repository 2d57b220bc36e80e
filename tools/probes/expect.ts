/** What was seen is not what is expected. */
export class BrokenError extends Error {}

export function expect(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new BrokenError(seen);
}
