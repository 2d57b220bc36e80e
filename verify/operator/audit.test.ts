import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fromHex, MismatchError } from "../log/bytes.ts";
import { checkChain } from "./chain.ts";
import { checkActReceipt, checkPublicationReceipt } from "./receipts.ts";

interface OtherLog {
  size: number;
  changed: Record<string, string>;
}
const file = new URL("../../docs/formats/vectors/audit.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8")) as {
  entries: string[];
  receipts: { name: string; receipt: unknown }[];
  falsified: { name: string; difference: string; receipt: unknown; log: OtherLog }[];
  chains: { name: string; difference: string | null; head: unknown; log: OtherLog }[];
};

const getReader = ({ size, changed }: OtherLog) => {
  const entries = Array.from(
    { length: size },
    (_, index) => changed[index] ?? vectors.entries[index],
  );
  return async (index: number) => {
    if (index >= size) throw new MismatchError("leaves", "leaf_missing", String(index));
    return fromHex(entries[index] as string);
  };
};

const getCheck = (receipt: unknown) =>
  (receipt as { format: string }).format === "drydock.receipt.act/1"
    ? checkActReceipt
    : checkPublicationReceipt;

test.each(vectors.receipts)("$name agrees with the log", async ({ receipt }) => {
  const leaf = getReader({ size: vectors.entries.length, changed: {} });
  const { steps } = await getCheck(receipt)(receipt, leaf);
  expect(steps.map(({ step }) => step)).toHaveLength(3);
});

test.each(vectors.falsified)("$name is refused: $difference", async (testCase) => {
  await expect(
    getCheck(testCase.receipt)(testCase.receipt, getReader(testCase.log)),
  ).rejects.toMatchObject({
    difference: testCase.difference,
  });
});

test.each(vectors.chains)("the chain: $name", async ({ head, log, difference }) => {
  const checked = checkChain(head, getReader(log), log.size);
  if (difference === null) expect(await checked).toHaveLength(2);
  else await expect(checked).rejects.toMatchObject({ difference });
});

test("an act whose reason is not well-formed text has no canonical form and is refused", async () => {
  const leaf = getReader({ size: vectors.entries.length, changed: {} });
  const acts = vectors.receipts.map(({ receipt }) => receipt as { act?: { why: string | null } });
  const receipt = structuredClone(acts.find(({ act }) => act?.why)!);
  receipt.act!.why = "a lone \ud800 half";
  await expect(checkActReceipt(receipt, leaf)).rejects.toMatchObject({
    difference: "receipt_malformed",
  });
});

test("a head beyond the log is refused", async () => {
  const size = vectors.entries.length;
  const head = { leaf: size, seq: 1, hash: "0".repeat(64) };
  await expect(checkChain(head, getReader({ size, changed: {} }), size)).rejects.toMatchObject({
    difference: "leaf_missing",
  });
});

test.each([
  {},
  7,
  { leaf: 5, seq: 1 },
  { leaf: 0, seq: 1, hash: "" },
])("head %j is refused", async (head) => {
  const size = vectors.entries.length;
  await expect(checkChain(head, getReader({ size, changed: {} }), size)).rejects.toMatchObject({
    difference: "audit_head_differs",
  });
});
