import { expect, test } from "vitest";
import { StopError, stopAll } from "#server/platform/stopAll.ts";

test("parts stop in reverse order, even if some fail or time out", async () => {
  const calls: string[] = [];
  const stopError = new Error("broken");
  const part = (name: string, then: () => Promise<void> | void = () => {}) => ({
    what: name,
    limitMs: 50,
    stop: () => {
      calls.push(name);
      return then();
    },
  });
  const parts = [
    part("database"),
    part("inner", () =>
      stopAll([
        part("module a"),
        part("module b", () => {
          throw stopError;
        }),
      ]),
    ),
    part("jobs", () => new Promise(() => {})),
    part("server", () => Promise.reject(stopError)),
  ];
  const error = await stopAll(parts).catch((error: StopError) => error);
  expect(calls).toEqual(["server", "jobs", "inner", "module b", "module a", "database"]);
  expect(error).toBeInstanceOf(StopError);
  expect((error as StopError).message).toBe(
    "Not everything stopped as it should: server, jobs, module b.",
  );
  // A stopped component is not stopped again.
  await stopAll(parts);
});
