import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkReceipt } from "./contracts/receipt.ts";
import { checkPoolOrder } from "./hosting/hosting.ts";
import { checkMarkReceipt } from "./hosting/mark.ts";
import { checkTradeReceipt } from "./hosting/trade.ts";
import { checkAcknowledgement } from "./log/acknowledgement.ts";
import { fromHex, hex, MismatchError } from "./log/bytes.ts";
import { emptyRoot, leafHash, nodeHash, rangeHash } from "./log/merkle.ts";
import { checkLeaseReceipt } from "./mining/mining.ts";
import { checkActReceipt, checkPublicationReceipt } from "./operator/receipts.ts";
import { checkJournalReceipt } from "./records/journal.ts";

/**
 * Every scalar of every receipt and promise of the vectors, altered one after the other: it is
 * refused by name, or it is one of the few that say nothing, each with its reason.
 */
const load = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../docs/formats/vectors/${name}.json`, import.meta.url), "utf8"),
  );

type Path = (string | number)[];
type Leaf = (index: number) => Promise<Uint8Array>;

interface Subject {
  name: string;
  value: unknown;
  readonly check: (value: unknown) => Promise<unknown>;
}

function getScalars(value: unknown, path: Path = []): [Path, unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => getScalars(inner, [...path, name]));
}

/** Another value of the same kind, and of the same form where that is easy. */
function other(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return "x";
  if (value === "") return "0".repeat(64);
  return value.replace(/.$/su, (last) => (last === "1" ? "2" : "1"));
}

function altered(whole: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const copy = structuredClone(whole);
  let at = copy as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) at = at[name] as typeof at;
  const last = path.at(-1) as string;
  const next = change(at[last]);
  if (next === undefined && Array.isArray(at)) at.splice(Number(last), 1);
  else if (next === undefined) delete at[last];
  else at[last] = next;
  return copy;
}

const getReader =
  (entries: readonly string[]): Leaf =>
  async (index) => {
    const entry = entries[index];
    if (entry === undefined) throw new MismatchError("leaves", "leaf_missing", String(index));
    return fromHex(entry);
  };

function subjects(): Subject[] {
  const [contracts, hosting, mining] = ["receipt", "hosting", "mining"].map(load);
  const [journal, audit, promises] = ["journal", "audit", "acknowledgement"].map(load);
  const found: Subject[] = [];
  const add = (name: string, values: unknown[], check: (value: unknown) => Promise<unknown>) => {
    for (const [at, value] of values.entries()) found.push({ name: `${name} ${at}`, value, check });
  };
  const pools = getReader(hosting.leaves);
  add("contract", contracts.receipts, (one) => checkReceipt(one, getReader(contracts.entries)));
  add("pool order", hosting.receipts.orders, (one) =>
    checkPoolOrder(one, pools, hosting.leaves.length),
  );
  add("trade", hosting.receipts.trades, (one) => checkTradeReceipt(one, pools));
  add("mark", hosting.receipts.marks.slice(0, 3), (one) => checkMarkReceipt(one, pools));
  add("lease", mining.receipts, (one) => checkLeaseReceipt(one, getReader(mining.entries)));
  add("journal", journal.receipts, (one) =>
    checkJournalReceipt(one, getReader(journal.entries), journal.entries.length),
  );
  for (const [name, { journals, ...rest }] of Object.entries({ contracts, hosting, mining }))
    for (const { keep, append, receipt } of journals.receipts) {
      const log = [...(rest.leaves ?? rest.entries).slice(0, keep), ...append];
      add(`journal of ${name}, ${receipt.journal.kind}`, [receipt], (one) =>
        checkJournalReceipt(one, getReader(log), log.length),
      );
    }
  for (const { name, receipt } of audit.receipts)
    add(`audit, ${name},`, [receipt], (one) => {
      const isAct = receipt.format === "drydock.receipt.act/1";
      return (isAct ? checkActReceipt : checkPublicationReceipt)(one, getReader(audit.entries));
    });
  const log = promiseLog(promises);
  for (const { name, kept } of promises.kept)
    add(`promise, ${name},`, [kept], (one) => checkAcknowledgement(one, log));
  return found;
}

function promiseLog({ origin, vkey, entries, hashes }: ReturnType<typeof load>) {
  const all = (entries as string[]).map(fromHex);
  const node = async (level: number, index: number): Promise<Uint8Array> =>
    level === 0
      ? leafHash(all[index] as Uint8Array)
      : nodeHash(await node(level - 1, 2 * index), await node(level - 1, 2 * index + 1));
  return {
    origin,
    size: all.length,
    vkeys: [vkey],
    leaf: getReader(entries),
    continues: async ({ size, root }: { size: number; root: Uint8Array }) => {
      const own = size === 0 ? emptyRoot : await rangeHash(0, size, node);
      if (hex(own) !== hex(root)) throw new MismatchError("memory", "log_changed");
    },
    hashes: async (leaf: number) => Buffer.concat((hashes[leaf] as string[]).map(fromHex)),
  };
}

/**
 * Returns true if it is refused by name; anything else that goes wrong is a fault of the verifier.
 */
async function isRefused({ check }: Subject, value: unknown): Promise<boolean> {
  try {
    await check(value);
    return false;
  } catch (fault) {
    if (fault instanceof MismatchError) return true;
    throw fault;
  }
}

/**
 * Members that state nothing by themselves: which log a receipt is of is compared when the log is
 * opened (`origin_differs`, `key_unknown`), and the first day of a range without any day is no
 * figure.
 */
function saysNothing(path: Path, receipt: unknown): boolean {
  if (/^(orders\.\d+\.)?log\.(origin|vkey)$/.test(path.join("."))) return true;
  // More leaves than the window needs prove no less.
  if (/^(orders\.\d+\.)?window_leaves\.1$/.test(path.join("."))) return true;
  const { from_day: from = 0, to_day: to = 0 } = receipt as { from_day?: number; to_day?: number };
  return path[0] === "from_day" && from > to;
}

describe("a lone surrogate in any text is refused by name", { timeout: 120_000 }, () => {
  const receipts = subjects().filter(({ name }) => !name.startsWith("promise"));
  test.each(receipts.map((one) => [one.name, one] as const))("of %s", async (_name, {
    check,
    value,
  }) => {
    const names = new Set<string>();
    for (const [path, found] of getScalars(value)) {
      if (typeof found !== "string") continue;
      const lone = altered(value, path, () => `${found}\ud800`);
      const fault: unknown = await check(lone).then(
        () => null,
        (problem: unknown) => problem,
      );
      names.add(
        fault instanceof MismatchError ? fault.difference : `${path.join(".")}: ${String(fault)}`,
      );
    }
    expect([...names]).toEqual(["receipt_malformed"]);
  });
});

describe("every scalar", { timeout: 120_000 }, () => {
  test.each(subjects().map((one) => [one.name, one] as const))("of %s", async (_name, subject) => {
    expect(await isRefused(subject, subject.value)).toBe(false);
    const agreed: string[] = [];
    for (const [path] of getScalars(subject.value)) {
      if (saysNothing(path, subject.value)) continue;
      for (const [how, change] of [
        ["altered", other],
        ["left out", () => undefined],
      ] as const)
        if (!(await isRefused(subject, altered(subject.value, path, change))))
          agreed.push(`${path.join(".")} ${how}`);
    }
    expect(agreed).toEqual([]);
  });
});
