import { bytesToHex } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deriveJournalId, deriveKeyJournalId, hashBody, isUuidV7 } from "#core/ledger/ids.ts";
import { isPosted, postOutcomeNames, postOutcomes } from "#core/ledger/outcomes.ts";

const key = "019f1a2b-3c4d-7e5f-8a6b-7c8d9e0f1a2b";

test.each<[string, boolean]>([
  [key, true],
  [key.toUpperCase(), false],
  ["9b2c1c1e-3d0f-4c56-8a1b-0242ac120002", false],
  [`${key} `, false],
  [`${key}\n`, false],
  [key.replace("-8a6b", "-ca6b"), false],
  ["", false],
])("isUuidV7(%j) is %s", (text, is) => {
  expect(isUuidV7(text)).toBe(is);
});

test("a journal id is a UUIDv8 with the key's time and differs for each user", () => {
  const id = deriveKeyJournalId("user-1", key);
  expect(id).toMatch(/^019f1a2b-3c4d-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(deriveKeyJournalId("user-1", key)).toBe(id);
  expect(deriveKeyJournalId("user-2", key)).not.toBe(id);
  // Fixed forever: a different id for the same key would post twice.
  expect(id).toBe("019f1a2b-3c4d-80d9-a775-8381a92a880b");
});

test("a posting that can happen once has one id, determined by its kind and name", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (a, b) => {
      expect(deriveJournalId("attempt.start", a)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      if (a !== b)
        expect(deriveJournalId("attempt.start", a)).not.toBe(deriveJournalId("attempt.start", b));
      expect(deriveJournalId("attempt.start", a)).not.toBe(deriveJournalId("attempt.end", a));
    }),
  );
});

test("a body hash depends on content, call and world but not on field order", () => {
  const hash = (world: string, call: string, input: Record<string, string>) =>
    bytesToHex(hashBody(world, call, input));
  const first = hash("harbour", "/api/x", { a: "1", b: "2" });
  expect(hash("harbour", "/api/x", { b: "2", a: "1" })).toBe(first);
  expect(hash("harbour", "/api/x", { a: "1", b: "3" })).not.toBe(first);
  expect(hash("harbour", "/api/y", { a: "1", b: "2" })).not.toBe(first);
  expect(hash("class", "/api/x", { a: "1", b: "2" })).not.toBe(first);
});

test("only a full limit is retryable, and only outcomes that depend on accounts are stored", () => {
  expect(postOutcomeNames.filter((name) => postOutcomes[name].retry)).toEqual(["limit_full"]);
  expect(postOutcomeNames.filter((name) => postOutcomes[name].stored)).toEqual([
    "hold_unknown",
    "hold_not_pending",
    "hold_mismatch",
    "overdraft",
  ]);
  expect(postOutcomeNames.filter(isPosted)).toEqual(["posted", "duplicate"]);
});
