/** Thrown when the observation is not the expected one. */
export class BrokenError extends Error {}

export function expect(holds: boolean, observed: string): asserts holds {
  if (!holds) throw new BrokenError(observed);
}
