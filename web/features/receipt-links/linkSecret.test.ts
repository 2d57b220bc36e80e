import { expect, test } from "vitest";
import { linkSecretPattern } from "#core/receipt-links/rules.ts";
import { createLinkSecret, parseLinkHash } from "#web/features/receipt-links/linkSecret.ts";

test("every secret is unique and has 22 characters of base64url", () => {
  const secrets = Array.from({ length: 200 }, createLinkSecret);
  for (const secret of secrets) expect(secret).toMatch(linkSecretPattern);
  expect(new Set(secrets).size).toBe(200);
});

test.each([
  ["#AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA"],
  ["#-_9zAAAAAAAAAAAAAAAAAw", "-_9zAAAAAAAAAAAAAAAAAw"],
  ["", null],
  ["#", null],
  ["#AAAAAAAAAAAAAAAAAAAAAB", null],
  ["#AAAAAAAAAAAAAAAAAAAAAA?invite=3", null],
  ["#AAAAAAAAAAAAAAAAAAAAA+", null],
])("the fragment %s opens %s", (hash, secret) => {
  expect(parseLinkHash(hash)).toBe(secret);
});
