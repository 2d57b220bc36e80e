import { checkReceipt } from "#core/contracts/receipt.ts";
import type { ContractReceipt } from "#core/contracts/receiptSchema.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { SecondRange } from "#core/transparency-log/dayLeaf.ts";
import type { SeedSource } from "#core/transparency-log/seedLeaf.ts";
import {
  contractDay,
  createDayEntry,
  createReceipt,
  createReceiptOverLog,
  createSecondEntry,
  createSeedEntry,
  dayIndex,
  entries,
  findLeafIndex,
  orders,
  rows,
  seedIndex,
  world,
} from "./contractLog.ts";
import { createCosignedSource } from "./log.ts";

const [won, , , voided] = orders.map(createReceipt) as [
  ContractReceipt,
  ContractReceipt,
  ContractReceipt,
  ContractReceipt,
];
const hour = { from: 3_600, count: 82_800 };

/** A false `day` leaf in place of the honest one. */
const createFalsified = (
  name: string,
  receipt: ContractReceipt,
  change: Partial<typeof contractDay>,
): FalsifiedDay => ({
  name,
  at: dayIndex,
  remove: 1,
  inserted: [createDayEntry({ ...contractDay, ...change })],
  receipt,
});

interface FalsifiedDay {
  name: string;
  at: number;
  remove: number;
  inserted: Uint8Array[];
  receipt: ContractReceipt;
}

const [skippedRange, rest] = contractDay.missing as [SecondRange, SecondRange];
const places = { before: findLeafIndex(9), bound: findLeafIndex(10), entry: findLeafIndex(11) };
const window: [number, number] = [findLeafIndex(61), findLeafIndex(71)];
const shifted = createReceiptOverLog(rows.toSpliced(2, 0, null), orders[0]!.order, {
  before: places.before + 1,
  bound: places.bound + 1,
  entry: places.entry + 1,
  window: [window[0] + 1, window[1] + 1],
});

/** False statements about a day by a log keeper, with honest receipts. */
export const falsifiedDays: readonly FalsifiedDay[] = [
  createFalsified("a day that hides a missing second", voided, { missing: [rest] }),
  createFalsified("a day that counts a closed second as missing", won, {
    missing: [skippedRange, { from: 65, count: 1 }, rest],
  }),
  createFalsified("a day that begins an hour late", won, { due: hour, missing: [] }),
  createFalsified("a day that counts no order without an entry", voided, {
    voids: { noEntry: 0, fewSamples: 1 },
  }),
  createFalsified("the leaf of another day", won, { day: contractDay.day + 1 }),
  {
    name: "a day that was over before its orders ended",
    at: 2,
    remove: 0,
    inserted: [createDayEntry()],
    receipt: { ...shifted, day_leaf: 2 },
  },
  {
    name: "a second in place of the day",
    at: dayIndex,
    remove: 0,
    inserted: [],
    receipt: { ...won, day_leaf: findLeafIndex(200) },
  },
];

const beginning = (name: string, source: SeedSource, dayMs?: number): FalsifiedDay => ({
  name,
  at: seedIndex,
  remove: 1,
  inserted: [createSeedEntry(source, dayMs)],
  receipt: won,
});
const cosigned = createCosignedSource(entries.slice(0, seedIndex));

/** False statements about a day's seed by a log keeper. */
export const falsifiedSeeds: readonly FalsifiedDay[] = [
  beginning("the seed of another day", cosigned, (contractDay.day + 1) * 86_400_000),
  beginning(
    "a seed mixed with a cosignature of a later tree",
    createCosignedSource(entries.slice(0, 9)),
  ),
  {
    ...beginning("a seed begun when its prices were known", cosigned),
    at: findLeafIndex(20),
    remove: 0,
    receipt: {
      ...createReceiptOverLog(rows.toSpliced(findLeafIndex(20), 0, null), orders[0]!.order, {
        ...places,
        window: [window[0] + 1, window[1] + 1],
      }),
      seed_leaf: findLeafIndex(20),
    },
  },
  {
    ...beginning("terms in place of the seed", cosigned),
    remove: 0,
    inserted: [],
    receipt: { ...won, seed_leaf: 1 },
  },
];

/** Seeds with a forged cosignature, which only a reader who verifies signatures can refuse. */
export function createForgedSources() {
  const { seconds, ...rest } = cosigned as Extract<SeedSource, { kind: "witness" }>;
  const forged: [string, SeedSource][] = [
    ["a cosignature that states another time", { ...rest, seconds: seconds + 1 }],
    [
      "a cosignature of another log",
      createCosignedSource(entries.slice(0, seedIndex), "elsewhere"),
    ],
  ];
  return forged.map(([name, source]) => ({
    name,
    at: seedIndex,
    remove: 1,
    insert: [bytesToHex(createSeedEntry(source))],
    receipt: won,
    step: "seed",
    difference: "seed_source_differs",
  }));
}

/** An order that is void because four of the ten seconds of its window have no index. */
export function createVoidBySamples() {
  const silentRows = [63, 64, 65, 66].map((second) => ({
    ...rows[findLeafIndex(second)]!,
    index: null,
  }));
  const index = findLeafIndex(63);
  const log = rows.toSpliced(index, silentRows.length, ...silentRows);
  return orders.slice(0, 2).map(({ order }) => {
    const receipt = {
      ...createReceiptOverLog(log, order, { ...places, window }),
      day_leaf: dayIndex,
    };
    const inserted = silentRows.map(createSecondEntry);
    const leaves = new Map(entries.toSpliced(index, inserted.length, ...inserted).entries());
    const { ok, bySamples } = checkReceipt(receipt, world, leaves);
    if (!ok || bySamples === null) throw new Error("a void order of the vectors fails");
    const insert = inserted.map(bytesToHex);
    return { at: index, remove: insert.length, insert, receipt, by_samples: bySamples };
  });
}
