import { readFileSync } from "node:fs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, test } from "vitest";
import type { EvidenceFile } from "#core/evidence/evidenceSchema.ts";
import { concatBytes, hexToBytes } from "#core/transparency-log/bytes.ts";
import {
  checkpointText,
  encodeVkey,
  noteKey,
  signNote,
} from "#core/transparency-log/checkpoint.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { encodeBundle, parseTilePath } from "#core/transparency-log/tile.ts";
import { checkAgainstLog } from "#web/features/receipt/check.ts";
import { checkEvidence } from "#web/features/receipt/evidence/checkEvidence.ts";
import { findReceiptKind, type ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { createLogReader } from "#web/features/receipt/logReader.ts";
import {
  type Alterable,
  formatValue,
  parseText,
  type Target,
} from "#web/features/receipt/tampering/alterable.ts";
import { listAlterables } from "#web/features/receipt/tampering/alterables.ts";
import {
  type CheckedCopy,
  createEvidenceSubject,
  createLogSubject,
  type Subject,
} from "#web/features/receipt/tampering/alteredCheck.ts";

const root = new URL("../../../../", import.meta.url);
// biome-ignore lint/suspicious/noExplicitAny: each file of vectors has its own shape
const readJson = (path: string): any => JSON.parse(readFileSync(new URL(path, root), "utf8"));
const vectors = (name: string) => readJson(`docs/formats/vectors/${name}.json`);
const shownTexts = {
  ...readJson("i18n/receipt/en.json"),
  ...readJson("i18n/altered-copy/en.json"),
};

const secret = new Uint8Array(32).fill(0x42);
const key = noteKey("drydock.invalid/vector/00000000", ed25519.getPublicKey(secret));
const log = { origin: key.name, vkey: encodeVkey(key) };
const verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) =>
  ed25519.verify(signature, message, publicKey);

/** The files of a log. */
function serve(entries: readonly Uint8Array[]) {
  const hashes = entries.map(leafHash);
  const text = checkpointText({ ...log, size: entries.length, root: treeRoot(hashes) });
  const note = signNote(text, [{ key, sign: (message) => ed25519.sign(message, secret) }]);
  return async (url: string): Promise<Response> => {
    const path = url.replace("/log/", "");
    if (path === "checkpoint") return new Response(note);
    if (path === "cosigned") return new Response(null, { status: 404 });
    const { level, index, width } = parseTilePath(path)!;
    const from = index * 256;
    if (level === "entries")
      return new Response(encodeBundle(entries.slice(from, from + width)).slice());
    const span = 256 ** level;
    const roots = Array.from({ length: width }, (_, index) =>
      treeRoot(hashes.slice((from + index) * span, (from + index + 1) * span)),
    );
    return new Response(concatBytes(...roots).slice());
  };
}

interface Honest {
  checked: CheckedCopy;
  subject: Subject;
  alterables: Alterable[];
}

/** Checks a receipt against its log, which then answers nothing more. */
async function inLog(receipt: object, hex: readonly string[]): Promise<Honest> {
  const withLog = { ...receipt, log };
  const answer = serve(hex.map(hexToBytes));
  let online = true;
  const send = async (url: string) => {
    if (!online) throw new Error(`a copy asked for ${url}`);
    return await answer(url);
  };
  const checked = await checkAgainstLog<ReceiptDetail>(findReceiptKind(withLog)!, withLog, {
    reader: createLogReader("/log", send),
    servedLog: { origin: log.origin, vkeys: [log.vkey] },
    store: { read: () => null, write: () => {} },
    witnessKeys: [],
    verify,
    nowMs: 1,
  });
  online = false;
  expect(checked.ok).toBe(true);
  const subject = await createLogSubject(checked.proven!);
  return { checked, subject, alterables: listAlterables(checked.detail!, subject.leaves) };
}

async function inEvidence(file: EvidenceFile): Promise<Honest> {
  const store = { read: () => null };
  const deps = { kindOf: findReceiptKind, store, witnessKeys: [], verify };
  const checked = await checkEvidence<ReceiptDetail>(file, deps);
  expect(checked.ok).toBe(true);
  const subject = createEvidenceSubject(file, verify);
  return { checked, subject, alterables: listAlterables(checked.detail!, subject.leaves) };
}

const contracts = vectors("receipt");
const [journals, mining, hosting, audit] = ["journal", "mining", "hosting", "audit"].map(vectors);
type Row = [name: string, receipt: object, hex: string[]];
const named = (name: string, receipts: object[], hex: string[]): Row[] =>
  receipts.map((receipt, index) => [`${name} ${index}`, receipt, hex]);
type Moved = { keep: number; append: string[]; receipt: object };
const toRows = (name: string, hex: string[], all: Moved[]): Row[] =>
  all.map(({ keep, append, receipt }, index) => [
    `journal of a ${name} ${index}`,
    receipt,
    [...hex.slice(0, keep), ...append],
  ]);
const receipts: Row[] = [
  ...named("contract", contracts.receipts, contracts.entries),
  ...named("journal", journals.receipts, journals.entries),
  ...toRows("contract", contracts.entries, contracts.journals.receipts),
  ...toRows("pool", hosting.leaves, hosting.journals.receipts),
  ...toRows("lease", mining.entries, mining.journals.receipts),
  ...named("lease", mining.receipts, mining.entries),
  ...named("pool order", hosting.receipts.orders, hosting.leaves),
  ...named("trade", hosting.receipts.trades.slice(0, 4), hosting.leaves),
  ...named("mark", hosting.receipts.marks.slice(0, 4), hosting.leaves),
  ...named(
    "audit event or publication",
    audit.receipts.map((item: { receipt: object }) => item.receipt),
    audit.entries,
  ),
];

/** The false value that is offered, and what differs by the least. */
function falseValues({ format: form, value, falseValue }: Alterable): (string | number)[] {
  if (form.is === "choice")
    return form.options.map((option) => option.value).filter((option) => option !== value);
  if (form.is === "text") return [falseValue, `${value}.`];
  const nextValue = typeof value === "number" ? value + 1 : String(BigInt(value) + 1n);
  return [falseValue, nextValue];
}

/** Every false value with the step and the difference that refuse it. */
async function getRefusals({ subject, alterables }: Honest) {
  const refusals: { of: string; target: Target; by: string }[] = [];
  for (const alterable of alterables) {
    const { label, target, value } = alterable;
    for (const falseValue of falseValues(alterable)) {
      expect(falseValue).not.toBe(value);
      const { ok, steps } = await subject.check(target, falseValue);
      const failed = steps.find((step) => !step.ok);
      expect(ok, `${label.id} ${falseValue}`).toBe(false);
      expect(shownTexts, label.id).toHaveProperty([label.id]);
      expect(shownTexts).toHaveProperty([`receipt.step.${failed?.step}`]);
      expect(shownTexts).toHaveProperty([`receipt.problem.${failed?.mismatch}`]);
      refusals.push({ of: label.id, target, by: `${failed?.step}: ${failed?.mismatch}` });
    }
  }
  return refusals;
}

describe("falsified copies", { timeout: 120_000 }, () => {
  test.each(
    receipts,
  )("a falsified %s is refused by a named check, offline", async (_name, receipt, hex) => {
    const honestSubject = await inLog(receipt, hex);
    const refusals = await getRefusals(honestSubject);
    expect(honestSubject.alterables.length).toBeGreaterThanOrEqual(3);
    for (const { target, by } of refusals)
      if (target.in !== "receipt") expect(by).toBe("leaves: leaf_not_in_log");
  });

  const { files } = vectors("evidence") as { files: { name: string; file: EvidenceFile }[] };
  test.each(files)("falsified evidence is refused by a named check: $name", async ({ file }) => {
    const honestSubject = await inEvidence(file);
    const refusals = await getRefusals(honestSubject);
    expect(refusals.length).toBeGreaterThanOrEqual(6);
    for (const { target, by } of refusals)
      if (target.in !== "receipt")
        expect(by).toMatch(/^proofs: (leaf_not_in_log|tlog_proof_wrong)$/);
  });

  test("every kind of receipt has values to falsify, in itself and in its log", async () => {
    const falsifiedBy = new Map<string, Set<string>>();
    for (const [, receipt, hex] of receipts) {
      const { format } = receipt as { format: string };
      const { alterables } = await inLog(receipt, hex);
      const places = alterables.map(({ target }) => target.in);
      falsifiedBy.set(format, new Set([...(falsifiedBy.get(format) ?? []), ...places]));
    }
    const rows = [...falsifiedBy].map(([format, places]) => `${format} ${[...places].join(" ")}`);
    expect(rows).toMatchInlineSnapshot(`
      [
        "drydock.receipt.contract/1 receipt second",
        "drydock.receipt.journal/1 receipt second",
        "drydock.receipt.lease/1 receipt network",
        "drydock.receipt.hosting/1 receipt",
        "drydock.receipt.trade/1 receipt second",
        "drydock.receipt.mark/1 receipt second",
        "drydock.receipt.act/1 receipt",
        "drydock.receipt.publication/1 receipt",
      ]
    `);
  });

  test("falsifying a copy leaves the receipt and its leaves unchanged", async () => {
    const [, receipt, hex] = receipts[0]!;
    const before = structuredClone(receipt);
    const honestSubject = await inLog(receipt, hex);
    const leaves = structuredClone([...honestSubject.subject.leaves]);
    await getRefusals(honestSubject);
    expect(receipt).toEqual(before);
    expect([...honestSubject.subject.leaves]).toEqual(leaves);
    expect(honestSubject.checked.proven?.receipt).toEqual({ ...before, log });
  });

  test("a falsified contract receipt is refused at the rule it breaks", async () => {
    const [, receipt, hex] = receipts[0]!;
    const refusals = (await getRefusals(await inLog(receipt, hex))).map(
      ({ of, by }) => `${of} ${by}`,
    );
    expect([...new Set(refusals)]).toMatchInlineSnapshot(`
      [
        "receipt.payout outcome: payout_differs",
        "altered-copy.outcome outcome: outcome_differs",
        "altered-copy.direction binding: order_not_in_root",
        "receipt.hosting.accepted binding: bound_before_acceptance",
        "receipt.hosting.accepted binding: order_not_in_root",
        "receipt.stake order: fee_differs",
        "receipt.purchase entry: purchase_price_differs",
        "receipt.selling selling: selling_price_differs",
        "altered-copy.delivery entry: delivery_time_differs",
        "altered-copy.second leaves: leaf_not_in_log",
      ]
    `);
  });
});

describe("edited values", () => {
  const price = { is: "decimal", scale: 2, unit: null } as const;
  test.each([
    [price, "23 123.45", "2312345"],
    [price, "23123,4", "2312340"],
    [price, "−1", "-100"],
    [price, "1.234", null],
    [price, "", null],
    [price, "abc", null],
    [{ is: "time" }, "2026-01-05 00:00:09.400", 1767571209400],
    [{ is: "time" }, "2026-01-05T00:00:09Z", 1767571209000],
    [{ is: "time" }, "2026-02-31 00:00:09", null],
    [{ is: "time" }, "now", null],
    [{ is: "number" }, "6", 6],
    [{ is: "number" }, "6.5", null],
    [{ is: "text" }, " a ", "a"],
    [{ is: "text" }, " ", null],
    [{ is: "choice", options: [{ value: "up", label: { id: "x" } }] }, "down", null],
  ] as const)("%o reads %s as %s", (form, input, value) => {
    expect(parseText(form, input)).toBe(value);
  });

  test("a displayed value parses back to itself", async () => {
    for (const [, receipt, hex] of receipts.slice(0, 12)) {
      const { alterables } = await inLog(receipt, hex);
      for (const { format: form, value, falseValue } of alterables)
        for (const text of [value, falseValue])
          expect(parseText(form, formatValue(form, text))).toBe(text);
    }
  });
});
