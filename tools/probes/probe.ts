import type { TestInstance } from "./testInstance.ts";

/** One attempt at something that must not work. */
export interface Probe {
  name: string;
  /** What it tries. */
  tries: string;
  /** What must be seen for the instance to have held. */
  expected: string;
  /** Returns what was seen. Throws BrokenError if that is not what is expected. */
  run(instance: TestInstance): Promise<string>;
}
