import { sha256 } from "@noble/hashes/sha2.js";
import { checkReceipt } from "#core/contracts/receipt.ts";
import { type Tier, termsBody, termsBytes, termsHash } from "#core/contracts/terms.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import { falsifiedDays, falsifiedSeeds } from "./contractDays.ts";
import {
  createOrderAt,
  createReceiptOverLog,
  createSecondEntry,
  createSeedEntry,
  entries,
  findLeafIndex,
  getIndexAt,
  type LeafPositions,
  orders,
  type Row,
  rows,
  seedIndex,
  startMs,
  terms,
  world,
} from "./contractLog.ts";

/** Five basis points above the path: enough to turn a win into a loss. */
const raiseIndex = (second: number) => (getIndexAt(second)! * 10_005n) / 10_000n;
const row = (second: number, index = getIndexAt(second), boundOrders: Row["orders"] = []): Row => ({
  second,
  index,
  orders: boundOrders,
});
const order = orders[0]!.order;
/** Accepted in the same millisecond in which second 10 ends. */
const boundaryOrder = createOrderAt(6, { acceptedAtMs: startMs + 10_000 });
/** Dated to second 9, but bound when all deciding prices were already known. */
const lateOrder = createOrderAt(7);
const boundIndex = findLeafIndex(10);
const end = rows.length;
const places = { before: findLeafIndex(9), bound: boundIndex, entry: findLeafIndex(11) };

interface FalsifiedVector {
  name: string;
  /** The leaf of the honest log before which the rows are inserted. */
  at: number;
  insert: Row[];
  places: LeafPositions;
  order?: typeof order;
  samplesOf?: Parameters<typeof createReceiptOverLog>[3];
}

/**
 * The later value of a duplicated second, which is what a reader that sorts by second ends up with.
 */
const getLater = (window: Row[]) => [
  ...new Map(window.map(({ second, index }) => [second, index])).values(),
];

/** Late leaves by a dishonest log keeper, with receipts that are otherwise consistent with them. */
const falsified: FalsifiedVector[] = [
  {
    name: "a second repeated after the binding one, at a price that suits",
    at: boundIndex + 1,
    insert: [row(10, raiseIndex(10))],
    places: {
      ...places,
      entry: boundIndex + 1,
      window: [findLeafIndex(60) + 1, findLeafIndex(70) + 1],
    },
  },
  {
    name: "a second of before acceptance as the entry",
    at: boundIndex + 1,
    insert: [row(5, raiseIndex(5))],
    places: {
      ...places,
      entry: boundIndex + 1,
      window: [findLeafIndex(55) + 1, findLeafIndex(65) + 1],
    },
  },
  {
    name: "a second twice in the delivery window, the later one counted",
    at: findLeafIndex(66),
    insert: [row(65, raiseIndex(65))],
    places: { ...places, window: [findLeafIndex(61), findLeafIndex(71) + 1] },
    samplesOf: getLater,
  },
  {
    name: "a second twice in the delivery window, both counted",
    at: findLeafIndex(66),
    insert: [row(65, raiseIndex(65))],
    places: { ...places, window: [findLeafIndex(61), findLeafIndex(71) + 1] },
  },
  {
    name: "bound at the end of the log, when its window was known",
    at: end,
    insert: [row(9), row(10, getIndexAt(10), [lateOrder]), row(11, raiseIndex(11))],
    places: {
      before: end,
      bound: end + 1,
      entry: end + 2,
      window: [findLeafIndex(61), findLeafIndex(71)],
    },
    order: lateOrder,
  },
  {
    name: "a second repeated before the binding one",
    at: boundIndex,
    insert: [row(9)],
    places: {
      before: findLeafIndex(9),
      bound: boundIndex + 1,
      entry: findLeafIndex(11) + 1,
      window: [findLeafIndex(61) + 1, findLeafIndex(71) + 1],
    },
  },
  {
    name: "bound by a second that the log held already",
    at: boundIndex + 1,
    insert: [row(10, getIndexAt(10), [boundaryOrder])],
    places: {
      before: boundIndex,
      bound: boundIndex + 1,
      entry: findLeafIndex(11) + 1,
      window: [findLeafIndex(61) + 1, findLeafIndex(71) + 1],
    },
    order: boundaryOrder,
  },
  {
    name: "a second of before the entry at the start of the window",
    at: findLeafIndex(61),
    insert: [row(8)],
    places: { ...places, window: [findLeafIndex(61), findLeafIndex(71) + 1] },
  },
];

/** Terms that promise 4 forbids, with an order that was honestly bound and settled under them. */
const forbiddenTiers: [string, Partial<Tier>][] = [
  ["terms on which a coin flip returns 74 of 100", { rateBp: 5_000 }],
  ["terms on which a coin flip returns 89.99 of 100", { rateBp: 8_198 }],
  ["terms on which a coin flip returns 98.01 of 100", { rateBp: 9_802 }],
];

function forbiddenTerms([name, change]: (typeof forbiddenTiers)[number]) {
  const tiers = terms.tiers.map((tier) => (tier.seconds === 60 ? { ...tier, ...change } : tier));
  const newTerms = { ...terms, tiers };
  const placedOrder = createOrderAt(8, { ...change, termsHash: termsHash(newTerms) });
  const changedRows = rows.with(boundIndex, row(10, getIndexAt(10), [placedOrder]));
  const window: [number, number] = [findLeafIndex(61), findLeafIndex(71)];
  return {
    name,
    at: 1,
    remove: boundIndex,
    inserted: [
      encodeTerms(termsBytes(newTerms), world.world),
      createSeedEntry(),
      ...changedRows.slice(seedIndex + 1, boundIndex + 1).map((item) => createSecondEntry(item!)),
    ],
    receipt: createReceiptOverLog(
      changedRows,
      placedOrder,
      { ...places, window },
      undefined,
      newTerms,
    ),
  };
}

type TermsBody = ReturnType<typeof termsBody>;

/** Terms whose constants are not those of the rules, with an order bound and settled under them. */
const otherConstants: [string, (body: TermsBody) => object, Partial<typeof order>?][] = [
  [
    "terms that let an entry be a minute late",
    (body) => ({ ...body, entry: { ...body.entry, latest_ms: 60_000 } }),
  ],
  [
    "terms that settle on half of the samples",
    (body) => ({ ...body, sampling: { ...body.sampling, present_percent: 50 } }),
  ],
  ["terms for orders down alone", (body) => ({ ...body, directions: ["down"] })],
  ["terms in another coin", (body) => ({ ...body, coin: "pBTC" })],
  [
    "terms that settle on one second",
    (body) => ({ ...body, tiers: body.tiers.map((tier) => ({ ...tier, window_seconds: 1 })) }),
    { windowSeconds: 1 },
  ],
];

function constantsVector([name, change, changed]: (typeof otherConstants)[number]) {
  const body = change(termsBody(terms)) as TermsBody;
  const bytes = canonicalBytes(body);
  const placedOrder = createOrderAt(9, { ...changed, termsHash: bytesToHex(sha256(bytes)) });
  const log = rows.with(boundIndex, row(10, getIndexAt(10), [placedOrder]));
  const window: [number, number] = [
    findLeafIndex(71 - placedOrder.windowSeconds),
    findLeafIndex(71),
  ];
  return {
    name,
    at: 1,
    remove: boundIndex,
    inserted: [
      encodeTerms(bytes, world.world),
      createSeedEntry(),
      ...log.slice(seedIndex + 1, boundIndex + 1).map((item) => createSecondEntry(item!)),
    ],
    receipt: { ...createReceiptOverLog(log, placedOrder, { ...places, window }), terms: body },
  };
}

/**
 * Each falsification with the leaves added to its log, its receipt, and the difference that must be
 * found.
 */
export function createFalsifiedLogs() {
  const addedRows = falsified.map(
    ({ name, at, insert, places: stand, order: other, samplesOf }) => ({
      name,
      at,
      remove: 0,
      inserted: insert.map(createSecondEntry),
      receipt: createReceiptOverLog(
        rows.toSpliced(at, 0, ...insert),
        other ?? order,
        stand,
        samplesOf,
      ),
    }),
  );
  return [
    ...addedRows,
    ...forbiddenTiers.map(forbiddenTerms),
    ...falsifiedDays,
    ...falsifiedSeeds,
    ...otherConstants.map(constantsVector),
  ].map(({ name, at, remove, inserted, receipt }) => {
    const leaves = new Map(entries.toSpliced(at, remove, ...inserted).entries());
    const failedStep = checkReceipt(receipt, world, leaves).steps.find(({ ok }) => !ok);
    if (!failedStep) throw new Error(`the falsified log passes: ${name}`);
    const { step, difference } = failedStep;
    return { name, at, remove, insert: inserted.map(bytesToHex), receipt, step, difference };
  });
}
