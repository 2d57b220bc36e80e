import { ToolError } from "./toolError.ts";

/**
 * Rejects with a ToolError on Ctrl-C or SIGTERM, for a trial that stops its servers and removes its
 * files in a `finally`.
 */
export function waitUntilInterrupted(): Promise<never> {
  const interruption = Promise.withResolvers<never>();
  interruption.promise.catch(() => {}); // The signal may arrive before anything awaits the promise.
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => interruption.reject(new ToolError(`Interrupted by ${name}.`)));
  return interruption.promise;
}
