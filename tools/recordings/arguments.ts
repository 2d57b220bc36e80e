import { parseArgs } from "node:util";
import { findPreset, recordingPresets } from "#core/market/replay/presets.ts";
import { isSymbol, type MarketSymbol, symbolNames } from "#core/market/symbols.ts";
import { minuteMs } from "#core/money/time.ts";
import type { RecordingRequest } from "#server/market/recordings/fetchRecording.ts";
import { getPresetFolder } from "#server/platform/config/settings.ts";
import { UsageError } from "../backup/command.ts";

const option = { type: "string" } as const;

/** Parses the options of `npm run recordings`; throws a UsageError that names the wrong option. */
export function parseRecordingArguments(
  args: string[],
  nowMs: number,
): RecordingRequest & { folder: string } {
  const { values } = parseArgs({
    args,
    options: {
      preset: option,
      venues: option,
      symbols: option,
      from: option,
      to: option,
      into: option,
    },
  });
  if (values.preset === undefined) return checkPeriod({ ...values, folder: values.into }, nowMs);
  const preset = findPreset(values.preset);
  if (!preset) {
    const names = recordingPresets.map(({ name }) => name).join(", ");
    throw new UsageError(`--preset is one of ${names}.`);
  }
  if (values.symbols ?? values.from ?? values.to)
    throw new UsageError("--preset has its own symbols and times.");
  const { from, to, symbols, venues } = preset;
  return checkPeriod(
    {
      venues: values.venues ?? venues.join(),
      symbols: symbols.join(),
      from,
      to,
      folder: values.into ?? getPresetFolder(preset.name),
    },
    nowMs,
  );
}

type OptionTexts = Partial<
  Record<"venues" | "symbols" | "from" | "to" | "folder", string | undefined>
>;

function checkPeriod(
  { venues, symbols, from, to, folder }: OptionTexts,
  nowMs: number,
): RecordingRequest & { folder: string } {
  if (!folder) throw new UsageError("--into names a folder.");
  const request = {
    folder,
    venues: listOf("venues", venues).map((name) => {
      if (/^[a-z][a-z0-9]{1,19}$/.test(name)) return name;
      throw new UsageError(`--venues: ${name} is not a name in ccxt, such as kraken.`);
    }),
    symbols: listOf("symbols", symbols).map((name): MarketSymbol => {
      if (isSymbol(name)) return name;
      throw new UsageError(`--symbols: Drydock knows no ${name}, only ${symbolNames.join(", ")}.`);
    }),
    fromMs: parseTime("from", from),
    toMs: parseTime("to", to),
  };
  if (request.toMs <= request.fromMs) throw new UsageError("--to is not after --from.");
  // The open minute has no close yet.
  if (request.toMs > Math.floor(nowMs / minuteMs) * minuteMs)
    throw new UsageError("--to is in the future.");
  return request;
}

function listOf(name: string, text: string | undefined): string[] {
  const items = [...new Set((text ?? "").split(",").map((part) => part.trim()))].filter(Boolean);
  if (items.length === 0) throw new UsageError(`--${name} names one or more, separated by commas.`);
  return items;
}

function parseTime(name: string, text = ""): number {
  const isForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\dZ)?$/.test(text);
  const atMs = isForm ? Date.parse(text) : Number.NaN;
  // Date.parse rolls a day that its month lacks over into the next month.
  if (Number.isNaN(atMs) || !new Date(atMs).toISOString().startsWith(text.slice(0, 10))) {
    throw new UsageError(
      `--${name} is a date such as 2023-03-10, or a time such as 2023-03-10T12:00Z.`,
    );
  }
  return atMs;
}
