import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fromHex, sha256, toHex } from "../log/bytes.ts";
import type { World } from "../log/leaves.ts";
import { checkDay } from "./day.ts";
import { createModel, exp, ln, sqrt } from "./model.ts";
import {
  computeHistoryState,
  computeQuotes,
  crossTime,
  parseState,
  stepSecond,
  writeState,
} from "./simulator.ts";
import { RandomWords } from "./words.ts";

const readVector = (name: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../../docs/formats/vectors/${name}.json`), "utf8"),
  );
const vectors = readVector("simulator");
const beacon = readVector("beacon");
const seed = fromHex(vectors.seed);
const toNumber = (bits: string) => fromHex(bits).readDoubleBE();
const getBits = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString("hex");
};

test.each([
  ["exp", exp],
  ["sqrt", sqrt],
  ["ln", ln],
] as const)("%s is bit-exact", (name, compute) => {
  for (const { x, is } of vectors[name]) expect(getBits(compute(toNumber(x)))).toBe(is);
});

test("words and draws match the vectors", () => {
  const { second, words, coarse } = vectors.draws;
  const randomWords = new RandomWords(seed);
  randomWords.start("second", second);
  expect(words.map(() => randomWords.word())).toEqual(words);
  randomWords.start("coarse", coarse.second, coarse.part);
  expect(getBits(randomWords.uniform())).toBe(coarse.uniform);
  expect(getBits(randomWords.normal())).toBe(coarse.normal);
  expect(getBits(randomWords.noise())).toBe(coarse.noise);
});

interface Path {
  symbols: string[];
  history: { first: number; state: string };
  seconds: QuotedSecond[];
  silent: QuotedSecond;
  after: { seconds: number; state_hash: string };
  crossed: { from: number; to: number; state_hash: string };
}
interface QuotedSecond {
  second: number;
  quotes: ([string, string] | null)[][];
}
const scales: Record<string, number> = {
  "SOL/USDT": 3,
  "XRP/USDT": 5,
  "DOGE/USDT": 6,
  "USDC/USDT": 5,
  "USDT/USD": 5,
  "USDC/USD": 5,
};

test.each(
  vectors.worlds as Path[],
)("the path of a world with $symbols.length symbols matches the vectors", (path) => {
  const venues = ["north", "south", "mole"];
  const symbols = path.symbols.map((name) => ({ name, scale: scales[name] ?? 2, venues }));
  const model = createModel({ simulator: 1, venues, symbols } as unknown as World);
  const { first } = path.history;
  const startState = computeHistoryState(model, seed, first);
  expect(toHex(writeState(model, startState))).toBe(path.history.state);
  const state = parseState(model, fromHex(path.history.state));
  const words = new RandomWords(seed);
  const quotesBySecond = new Map(
    [...path.seconds, path.silent].map((quotedSecond) => [
      quotedSecond.second,
      quotedSecond.quotes,
    ]),
  );
  for (let second = first; second < first + path.after.seconds; second += 1) {
    stepSecond(model, state, words, second);
    const quotes = quotesBySecond.get(second);
    if (!quotes) continue;
    const text = computeQuotes(model, state).map((row) =>
      row.map((quote) => quote && [String(quote.bid), String(quote.ask)]),
    );
    expect(text).toEqual(path.symbols.map((_, s) => quotes.map((row) => row[s])));
  }
  expect(toHex(sha256(writeState(model, state)))).toBe(path.after.state_hash);
  crossTime(model, state, words, path.crossed);
  expect(toHex(sha256(writeState(model, state)))).toBe(path.crossed.state_hash);
}, 30_000);

describe("replaying a day", () => {
  const { origin, day, entries, falsified } = vectors.day;
  const check = (log: string[], number: number = day) => {
    const leaves = log.map(fromHex);
    return checkDay(
      {
        size: leaves.length,
        origin,
        leaf: async (index) => leaves[index] as Uint8Array,
        range: async (from, to) => leaves.slice(from, to + 1),
      },
      number,
    );
  };

  test("the day agrees with the log from its history to the next day", async () => {
    const message = await check(entries);
    expect(message?.[0]).toBe("2 of the 29 seconds of 2026-01-04 are missing; 0 orders were void.");
    expect(message?.slice(1).join(" ")).toMatch(
      /mixed with a cosignature of witness\.example.*that of the history.*All 27 closed seconds.*The next day, from 2026-01-05T00:05:10\.000Z on, continues/,
    );
  });

  test("an unfinished day yields no result", async () => {
    expect(await check(entries, day + 2)).toBeNull();
  });

  test.each(
    falsified as { name: string; entries: string[]; step: string; difference: string }[],
  )("$name: $step, $difference", async ({ entries: log, step, difference }) => {
    await expect(check(log)).rejects.toMatchObject({ step, difference });
  });

  test("a day mixed with its beacon round agrees", async () => {
    const messages = await check(beacon.days.entries, beacon.days.day);
    expect(messages?.slice(1).join(" ")).toMatch(
      /mixed with round \d+ of a public beacon: the operator could have chosen it \(this verifier does not know its beacon\)\..*All 30 closed seconds/,
    );
  });

  test("a day without its due round agrees and reports that", async () => {
    const messages = await check(beacon.days.missed, beacon.days.day);
    expect(messages?.[1]).toBe(
      "Its link leads to the anchor of the world; nothing was mixed into its seed: the operator could have chosen it (the round of the beacon that was due is not in it).",
    );
  });

  test.each(
    beacon.days.falsified as {
      name: string;
      entries: string[];
      step: string;
      difference: string;
    }[],
  )("with a beacon, $name: $step, $difference", async ({ entries: log, step, difference }) => {
    await expect(check(log, beacon.days.day)).rejects.toMatchObject({ step, difference });
  });
});
