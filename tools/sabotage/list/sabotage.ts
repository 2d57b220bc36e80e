/**
 * A small fault to plant: `find`, which occurs once in `file`, becomes `replace`, and one of
 * `tests` has to fail. Each is a mistake that a developer could make, in code that still runs.
 */
export interface Sabotage {
  /** Unique; its first word is the part that it harms. */
  name: string;
  file: string;
  find: string;
  replace: string;
  /** The test files that a maintainer of `file` would expect to fail. */
  tests: readonly string[];
}
