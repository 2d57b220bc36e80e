import type { TestInstance } from "./testInstance.ts";

/** One attempt at something that must not work. */
export interface Probe {
  name: string;
  /** Its attempt. */
  tries: string;
  /** The answer by which the instance passes. */
  expected: string;
  /** Returns what was seen. Throws BrokenError if that is not what is expected. */
  run(instance: TestInstance): Promise<string>;
}
