import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { BarSeries } from "#core/market/replay/series.ts";
import { startProgram } from "#server/app/program.ts";
import { readRecording, requireStartInside } from "#server/market/replay/recording.ts";
import {
  createBarFile,
  createRecording,
  silence,
  toMs,
  writeFolder,
} from "#server/market/replay/testing.ts";
import { readConfig } from "#server/platform/config/config.ts";

const removals: (() => void)[] = [];
afterEach(() => {
  for (const remove of removals.splice(0)) remove();
});
function getFolder(files: Record<string, string>): string {
  const { folder, remove } = writeFolder(files);
  removals.push(remove);
  return folder;
}
const getMessage = (folder: string) =>
  readRecording(folder).then(
    () => "read",
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("reading a folder", () => {
  test("a recording spans its files' venues, symbols and times", async () => {
    const recording = await createRecording({ ...silence, "README.md": "notes", ".DS_Store": "" });
    expect(recording.venues).toEqual(["east", "west"]);
    expect(recording.listing.map(({ name }) => name)).toEqual(["BTC/USDT", "USDC/USD"]);
    expect([...recording.series.get("USDC/USD")!.keys()]).toEqual(["west"]);
    expect([recording.firstMs, recording.endMs]).toEqual([toMs(0), toMs(30)]);
  });

  test("the recording's hash covers names and bytes of price files only", async () => {
    const singleFile = { "east.BTC-USDT.1m.csv": silence["east.BTC-USDT.1m.csv"] };
    const hashes = await Promise.all(
      [
        singleFile,
        { ...singleFile, "README.md": "notes" },
        { "east.BTC-USDT.1m.csv": silence["east.BTC-USDT.1m.csv"].replace(",1\n", ",2\n") },
        { "west.BTC-USDT.1m.csv": silence["east.BTC-USDT.1m.csv"] },
        silence,
      ].map(async (files) => (await createRecording(files)).hash),
    );
    expect(hashes[1]).toBe(hashes[0]);
    expect(new Set(hashes).size).toBe(4);
  });

  test("a world must start within its recording", async () => {
    const recording = await createRecording(silence);
    const problem =
      "WORLD_START is outside the recording, which runs from 2026-01-05T12:00:00Z to 2026-01-05T12:30:00Z.";
    expect(() => requireStartInside(recording, toMs(0))).not.toThrow();
    expect(() => requireStartInside(recording, toMs(29, 59))).not.toThrow();
    expect(() => requireStartInside(recording, toMs(0) - 1)).toThrow(problem);
    expect(() => requireStartInside(recording, toMs(30))).toThrow(problem);
  });
});

describe("a folder that is not a recording is refused with the reason", () => {
  const validFile = createBarFile(3, () => "1.0");
  const withLine = (line: string) => `${validFile}${line}\n`;
  const next = toMs(3) / 1_000;
  const file = (text: string) => ({
    "east.BTC-USD.1m.csv": validFile,
    "east.BTC-USDT.1m.csv": text,
  });
  const at5 = "The recording's file east.BTC-USDT.1m.csv cannot be used: line 5";
  test.each<[string, Record<string, string>, string]>([
    ["no price file", { "README.md": "notes" }, "contains no file named venue.SYMBOL.1m.csv"],
    ["not CSV", { ...silence, "east.xlsx": "" }, "holds east.xlsx, which is not CSV"],
    ["a misnamed file", { "east-BTC.csv": validFile }, "holds east-BTC.csv, which is not named"],
    ["another interval", { "east.BTC-USDT.5m.csv": validFile }, "which is not named"],
    [
      "unknown symbol",
      { "east.BTC-EUR.1m.csv": validFile },
      "knows no symbol BTC/EUR, only BTC/USDT",
    ],
    ["a picture", file("\u0089PNG\r\n"), "line 1 does not begin CSV in one of the forms"],
    ["nothing", file(""), "line 1 is the last, and no minute before it has any volume"],
    [
      "too few columns",
      file(withLine(`${next},1,1,1,1`)),
      `${at5} has too many or too few columns`,
    ],
    [
      "a word",
      file(withLine(`${next},1,1,one,1,1`)),
      `${at5} contains something that is not a number`,
    ],
    [
      "a time within a minute",
      file(withLine(`${next + 1},1,1,1,1,1`)),
      `${at5} has a time that is not`,
    ],
    [
      "order",
      file(withLine(`${toMs(0) / 1_000},1,1,1,1,1`)),
      `${at5} is earlier than the line before`,
    ],
    [
      "twice",
      file(withLine(`${toMs(2) / 1_000},1,1,1,1,1`)),
      `${at5} has the same time as the line`,
    ],
    ["high below low", file(withLine(`${next},2,1,1,1,1`)), `${at5} has a high below its low`],
    ["outside", file(withLine(`${next},1,2,3,1,1`)), `${at5} has an open or close outside`],
    [
      "a price of zero",
      file(withLine(`${next},0,1,1,1,1`)),
      `${at5} has a price that is not positive`,
    ],
    ["a volume out of range", file(withLine(`${next},1,1,1,1,1e20`)), `${at5} contains something`],
  ])("%s", async (_, files, message) => {
    const text = await getMessage(getFolder(files));
    expect(text).toMatch(/^StartError: /);
    expect(text).toContain(message);
    expect(text.split("\n")).toHaveLength(1);
  });

  test("a folder that does not exist is refused", async () => {
    expect(await getMessage("/nowhere/at/all")).toBe(
      "StartError: MARKET is wrong: the folder /nowhere/at/all cannot be read (ENOENT).",
    );
  });

  test("a missing preset is refused with the command that fetches it", async () => {
    const { market } = readConfig({ MARKET: "preset:calm-2023", WORLD: "calm" });
    expect(await getMessage((market as { folder: string }).folder)).toBe(
      "StartError: The recording calm-2023 is not here yet: npm run recordings -- --preset calm-2023 fetches it.",
    );
  });

  test.each<[string, Record<string, string>, string, string]>([
    ["a bad line", file(withLine(`${next},1`)), "", "line 5"],
    ["a start outside the recording", silence, "2026-01-05T13:00:00Z", "WORLD_START is outside"],
  ])("a start with %s leaves no trace", async (_, files, start, message) => {
    const data = join(tmpdir(), `drydock-none-${process.pid}-${files === silence}`);
    const config = readConfig({
      MARKET: `replay:${getFolder(files)}`,
      WORLD_START: start,
      DRYDOCK_DATA: data,
      PORT: "0",
    });
    await expect(startProgram(config, async () => null)).rejects.toThrow(message);
    expect(existsSync(data)).toBe(false);
  });
});

test("the project's shared recording has eleven files in three formats", async (context) => {
  const folder = resolve(import.meta.dirname, "../../../../shared/data");
  if (!existsSync(folder)) return context.skip(`${folder} is not there`);
  const recording = await readRecording(folder);
  const { listing, series, venues, firstMs, endMs } = recording;
  expect(venues).toEqual(["binance", "coinbase", "kraken"]);
  expect(listing.map(({ name }) => name)).toEqual([
    "BTC/USDT",
    "BTC/USDC",
    "BTC/USD",
    "USDC/USDT",
    "USDT/USD",
    "USDC/USD",
  ]);
  expect([...series.values()].reduce((sum, venuesOf) => sum + venuesOf.size, 0)).toBe(11);
  expect([firstMs, endMs].map((ms) => new Date(ms).toISOString())).toEqual([
    "2023-03-01T00:00:00.000Z",
    "2023-03-15T00:00:00.000Z",
  ]);
  // USDC lost its peg: the low of the bar that closes at 07:16 on 11 March.
  const usdc = series.get("USDC/USD")!.get("kraken") as BarSeries;
  const lows = Array.from({ length: usdc.length }, (_, n) => usdc.bar(n).low);
  expect(lows.reduce((a, b) => (b < a ? b : a)) < 90_000n).toBe(true);
});
