import { expect, test } from "vitest";
import { ApiError, type Client } from "#server/testing/client.ts";
import { findChange, type Mix } from "./change.ts";
import { Load } from "./load.ts";
import type { AcknowledgedChange, OutsideRecord } from "./record.ts";

const person = { token: "t", userId: "u", address: "a" } as never;

/** A load of one change, whose key is sent twice concurrently and answered like this. */
async function runSingleChange(replies: (() => Promise<unknown>)[]) {
  const recorded: AcknowledgedChange[] = [];
  const record = { add: async (entry: AcknowledgedChange) => recorded.push(entry) };
  const client = { call: () => replies.shift()!() };
  let chances = 0;
  // The second random decides that the key is sent twice; the later ones that nothing is repeated.
  const random = () => {
    chances += 1;
    return chances <= 2 ? 0 : 0.99;
  };
  const load = new Load(client as unknown as Client, record as unknown as OutsideRecord, random);
  let isCreated = false;
  const mix: Mix = {
    name: "money",
    createNext: async () => {
      if (isCreated) return null;
      isCreated = true;
      return findChange("send", person, "/api/user/send", {});
    },
  };
  load.start(1, [mix]);
  await expect.poll(() => replies.length).toBe(0);
  await load.stop(1_000);
  if (load.fatalError) throw load.fatalError;
  return { load, recorded };
}

const refuse = () => Promise.reject(new ApiError("ledger.overdraft", ""));
const answer = (id: string) => async () => ({ id });

test.each([
  ["the second request", [refuse, answer("one")]],
  ["the first request", [answer("one"), refuse]],
  ["both", [answer("one"), answer("one")]],
])("a key sent twice concurrently is acknowledged by the answer to %s", async (_title, replies) => {
  const { load, recorded } = await runSingleChange(replies);
  expect(recorded.map(({ lastingFields }) => lastingFields)).toEqual(['{"id":"one"}']);
  expect([load.openKeys.size, load.contradictions]).toEqual([0, []]);
});

test("two answers to one key contradict, and a key refused twice is not recorded", async () => {
  const twoAnswers = await runSingleChange([answer("one"), answer("two")]);
  expect(twoAnswers.load.contradictions).toHaveLength(1);
  const refusal = await runSingleChange([refuse, refuse]);
  expect([refusal.recorded, refusal.load.openKeys.size]).toEqual([[], 0]);
});
