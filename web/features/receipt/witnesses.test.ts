import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { verifyEd25519 } from "#web/features/receipt/ed25519.ts";
import { countCosigned } from "#web/features/receipt/witnesses.ts";

const file = new URL("../../../docs/formats/vectors/checkpoint.json", import.meta.url);
const { cosigned } = JSON.parse(readFileSync(file, "utf8")) as {
  cosigned: { note: string; cases: { name: string; witnesses: string[]; count: number }[] };
};

test.each(cosigned.cases)("$name: $count", ({ witnesses, count }) => {
  expect(countCosigned(cosigned.note, witnesses, verifyEd25519)).toEqual({
    configured: witnesses.length,
    count,
  });
});
