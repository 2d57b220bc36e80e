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

test("the checkpoint that a visit wrote is read again", () => {
  expect(parseStoredCheckpoint(JSON.parse(JSON.stringify(fine)))).toEqual(fine);
});

test.each<[string, unknown]>([
  ["nothing", null],
  ["a number", 7],
  ["a list", [fine]],
  ["no size", { ...fine, size: undefined }],
  ["a size below one", { ...fine, size: -1 }],
  ["an empty tree", { ...fine, size: 0 }],
  ["half a leaf", { ...fine, size: 1.5 }],
  ["a short root", { ...fine, root: "ab" }],
  ["a root in a list", { ...fine, root: [fine.root] }],
  ["no keys", { ...fine, vkeys: [] }],
  ["a key of another type", { ...fine, vkeys: [1] }],
  ["a time in words", { ...fine, seenMs: "yesterday" }],
  ["a time past every date", { ...fine, seenMs: 8_640_000_000_000_001 }],
  ["no first time", { ...fine, firstSeenMs: null }],
])("%s is not read as a stored checkpoint", (_title, value) => {
  expect(parseStoredCheckpoint(value)).toBeNull();
});
