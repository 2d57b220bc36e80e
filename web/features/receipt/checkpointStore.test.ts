import { expect, test } from "vitest";
import { parseStoredCheckpoint } from "./checkpointStore.ts";

const validCheckpoint = {
  origin: "drydock.example/log",
  vkeys: ["drydock.example/log+00000000+AAAA"],
  size: 7,
  root: "ab".repeat(32),
  firstSeenMs: 1_767_571_200_000,
  seenMs: 1_767_571_207_000,
};

test("a stored checkpoint survives a round trip through JSON", () => {
  expect(parseStoredCheckpoint(JSON.parse(JSON.stringify(validCheckpoint)))).toEqual(
    validCheckpoint,
  );
});

test.each<[string, unknown]>([
  ["nothing", null],
  ["a number", 7],
  ["a list", [validCheckpoint]],
  ["a missing size", { ...validCheckpoint, size: undefined }],
  ["a size below one", { ...validCheckpoint, size: -1 }],
  ["an empty tree", { ...validCheckpoint, size: 0 }],
  ["a fractional size", { ...validCheckpoint, size: 1.5 }],
  ["a short root", { ...validCheckpoint, root: "ab" }],
  ["a root in a list", { ...validCheckpoint, root: [validCheckpoint.root] }],
  ["an empty list of keys", { ...validCheckpoint, vkeys: [] }],
  ["a key of another type", { ...validCheckpoint, vkeys: [1] }],
  ["a time in words", { ...validCheckpoint, seenMs: "yesterday" }],
  ["a time beyond the range of dates", { ...validCheckpoint, seenMs: 8_640_000_000_000_001 }],
  ["a missing first time", { ...validCheckpoint, firstSeenMs: null }],
])("%s is not parsed as a stored checkpoint", (_title, value) => {
  expect(parseStoredCheckpoint(value)).toBeNull();
});
