import { expect, test } from "vitest";
import { parseStoredCheckpoint } from "./checkpointStore.ts";

const fine = {
  origin: "drydock.example/log",
  vkeys: ["drydock.example/log+00000000+AAAA"],
  size: 7,
  root: "ab".repeat(32),
  firstSeenMs: 1_767_571_200_000,
  seenMs: 1_767_571_207_000,
};

test("a stored checkpoint survives a round trip through JSON", () => {
  expect(parseStoredCheckpoint(JSON.parse(JSON.stringify(fine)))).toEqual(fine);
});

test.each<[string, unknown]>([
  ["nothing", null],
  ["a number", 7],
  ["a list", [fine]],
  ["a missing size", { ...fine, size: undefined }],
  ["a size below one", { ...fine, size: -1 }],
  ["an empty tree", { ...fine, size: 0 }],
  ["a fractional size", { ...fine, size: 1.5 }],
  ["a short root", { ...fine, root: "ab" }],
  ["a root in a list", { ...fine, root: [fine.root] }],
  ["an empty list of keys", { ...fine, vkeys: [] }],
  ["a key of another type", { ...fine, vkeys: [1] }],
  ["a time in words", { ...fine, seenMs: "yesterday" }],
  ["a time beyond the range of dates", { ...fine, seenMs: 8_640_000_000_000_001 }],
  ["a missing first time", { ...fine, firstSeenMs: null }],
])("%s is not parsed as a stored checkpoint", (_title, value) => {
  expect(parseStoredCheckpoint(value)).toBeNull();
});
