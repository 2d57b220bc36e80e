import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { verifyEd25519 } from "#web/features/receipt/ed25519.ts";

interface Vectors {
  message: string;
  cases: { key: string; signature: string; ok: boolean }[];
}

test("Ed25519 accepts only canonical signatures of prime-order points", () => {
  const { message, cases }: Vectors = JSON.parse(
    readFileSync(new URL("../../../docs/formats/vectors/ed25519.json", import.meta.url), "utf8"),
  );
  const accepted = cases.map(({ key, signature }) =>
    verifyEd25519(hexToBytes(signature), hexToBytes(message), hexToBytes(key)),
  );
  expect(accepted).toEqual(cases.map(({ ok }) => ok));
  expect(accepted.filter(Boolean)).toHaveLength(1);
});
