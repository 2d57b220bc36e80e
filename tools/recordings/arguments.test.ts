import { describe, expect, test } from "vitest";
import { describePresets, fetchCommand, recordingPresets } from "#core/market/replay/presets.ts";
import { dayMs } from "#core/money/time.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { parseRecordingArguments } from "./arguments.ts";
import { formatProgressBar } from "./command.ts";

const nowMs = Date.UTC(2026, 0, 5, 12, 0, 30);
const completeCommand =
  "--venues kraken --symbols BTC/USD --from 2026-01-04 --to 2026-01-05T12:00Z --into r";
const parse = (text: string) => parseRecordingArguments(text.split(" ").filter(Boolean), nowMs);

test("the options of a recording", () => {
  expect(parse(completeCommand)).toEqual({
    folder: "r",
    venues: ["kraken"],
    symbols: ["BTC/USD"],
    fromMs: Date.UTC(2026, 0, 4),
    toMs: Date.UTC(2026, 0, 5, 12),
  });
  expect(parse(completeCommand.replace("kraken", "kraken,bitstamp,kraken")).venues).toEqual([
    "kraken",
    "bitstamp",
  ]);
});

test.each([
  [completeCommand.replace("--into r", ""), "--into names a folder"],
  [completeCommand.replace("kraken", "Kraken"), "Kraken is not a name in ccxt"],
  [completeCommand.replace("BTC/USD", "BTC/EUR"), "Drydock knows no BTC/EUR, only BTC/USDT"],
  [completeCommand.replace("2026-01-04", "2026-02-30"), "--from is a date such as"],
  [completeCommand.replace("2026-01-04", "yesterday"), "--from is a date such as"],
  [completeCommand.replace("12:00Z", "12:01Z"), "--to is in the future"],
  [completeCommand.replace("2026-01-04", "2026-01-05T12:00Z"), "--to is not after --from"],
  ["--preset usdc", "--preset is one of usdc-2023, "],
  ["--preset usdc-2023 --from 2023-03-01", "--preset has its own symbols and times"],
])("%s is refused: %s", (text, expected) => {
  expect(() => parse(text)).toThrow(expected);
});

describe("presets", () => {
  test.each(recordingPresets)("the command that fetches $name is valid", (preset) => {
    const command = fetchCommand(preset);
    const [, options = ""] = command.split("npm run recordings -- ");
    const request = parse(options);
    expect(request).toMatchObject({ venues: preset.venues, symbols: preset.symbols });
    const days = (request.toMs - request.fromMs) / dayMs;
    expect(days).toBeGreaterThanOrEqual(3);
    expect(days).toBeLessThanOrEqual(92);
    expect(preset.lookAt.length).toBeGreaterThanOrEqual(3);
    // The replay reads the folder that the recording is fetched into.
    expect(readConfig({ MARKET: `preset:${preset.name}`, WORLD: preset.name }).market).toEqual({
      kind: "replay",
      folder: request.folder,
    });
    expect(describePresets(() => false)).toContain(command);
    expect(describePresets(() => true)).not.toContain(command);
  });

  test("there are five presets", () => {
    expect(new Set(recordingPresets.map(({ name }) => name)).size).toBe(5);
  });
});

test.each([
  [0, 0, "0 %"],
  [0.5, 120_000, "2 min left"],
  [0.999, 120_000, "99 %"],
])("at a share of %d after %d ms the progress bar shows %s", (share, passedMs, expected) => {
  expect(formatProgressBar(0, passedMs, share, "kraken BTC/USD")).toContain(expected);
});
