import { expect, test } from "vitest";
import { StopError, stopAll } from "#server/platform/stopAll.ts";

test("parts stop in reverse order, even if some fail or time out", async () => {
  const did: string[] = [];
  const broken = new Error("broken");
  const part = (what: string, then: () => Promise<void> | void = () => {}) => ({
    what,
    limitMs: 50,
    stop: () => {
      did.push(what);
      return then();
    },
  });
  const parts = [
    part("database"),
    part("inner", () =>
      stopAll([
        part("module a"),
        part("module b", () => {
          throw broken;
        }),
      ]),
    ),
    part("jobs", () => new Promise(() => {})),
    part("server", () => Promise.reject(broken)),
  ];
  const error = await stopAll(parts).catch((error: StopError) => error);
  expect(did).toEqual(["server", "jobs", "inner", "module b", "module a", "database"]);
  expect(error).toBeInstanceOf(StopError);
  expect((error as StopError).message).toBe(
    "Not everything stopped as it should: server, jobs, module b.",
  );
  // A stopped component is not stopped again.
  await stopAll(parts);
});
