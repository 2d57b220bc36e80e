import { beforeEach, expect, test, vi } from "vitest";
import {
  readAcknowledgements,
  type StoredAcknowledgement,
  writeAcknowledgement,
} from "#web/lib/acknowledgements.ts";

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, value: string) => void storage.set(name, value),
    removeItem: (name: string) => void storage.delete(name),
  });
});

const createPromise = (
  number: number,
  state: StoredAcknowledgement["state"],
): StoredAcknowledgement => ({
  kept: null,
  sent: { call: "/api/user/send", key: `key-${number}`, body_hash: "", at_ms: null },
  answeredMs: number,
  state,
  problem: null,
  notified: false,
});

test("at most 200 acknowledgements are stored, and broken ones are never evicted", () => {
  for (let number = 0; number < 3; number += 1)
    writeAcknowledgement(createPromise(number, "broken"));
  for (let number = 3; number < 150; number += 1)
    writeAcknowledgement(createPromise(number, "kept"));
  for (let number = 150; number < 400; number += 1)
    writeAcknowledgement(createPromise(number, "open"));
  const acknowledgements = readAcknowledgements();
  expect(acknowledgements).toHaveLength(200);
  expect(acknowledgements.filter(({ state }) => state === "broken")).toHaveLength(3);
  expect(acknowledgements.filter(({ state }) => state === "kept")).toHaveLength(0);
  expect(acknowledgements.at(-1)!.answeredMs).toBe(399);
});

test("a later state of an acknowledgement replaces the earlier one", () => {
  writeAcknowledgement(createPromise(1, "open"));
  writeAcknowledgement(createPromise(2, "open"));
  writeAcknowledgement(createPromise(1, "kept"));
  expect(readAcknowledgements().map(({ state }) => state)).toEqual(["kept", "open"]);
});

test.each([
  "{",
  "{}",
  "[1,null]",
  '[{"sent":{}}]',
])("reading storage with %s returns no acknowledgements", (text) => {
  storage.set("drydock.acknowledgements", text);
  expect(readAcknowledgements()).toEqual([]);
});
