import type { TestInstance } from "./testInstance.ts";

/** One attempt at something that must not work. */
export interface Probe {
  name: string;
  /** A description of the attempt. */
  tries: string;
  /** A description of the answer that passes. */
  expected: string;
  /** Returns what was seen. Throws BrokenError if that is not what is expected. */
  run(instance: TestInstance): Promise<string>;
}
