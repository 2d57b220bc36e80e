/**
 * `npm run look -- fake-venues`: fake venues for a live market, for developing without a network:
 * `WORLD=test-live MARKET=live LIVE_FAKE_VENUES=<address> npm start`. Their prices are generated,
 * or those of a recording; nothing else about them is real.
 */
import { readRecording } from "#server/market/replay/recording.ts";
import { StartError } from "#server/platform/startError.ts";
import { startFakeVenues } from "#server/testing/fakeVenues/fakeVenues.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { ToolError } from "../lib/toolError.ts";

const { values } = parseOptions(
  {
    options: {
      port: { type: "string" },
      seed: { type: "string" },
      recording: { type: "string" },
    },
  },
  "npm run look -- fake-venues [--port 9100] [--seed 1] [--recording <folder>]",
);
const port = parseWholeNumber("port", values.port, { from: 0, to: 65_535, fallback: 9_100 });
const seed = parseWholeNumber("seed", values.seed, { from: 0, to: 999_999_999, fallback: 1 });
const recording = values.recording === undefined ? null : await readFolder(values.recording);
const { url, venues } = await startFakeVenues(seed, port, recording);
console.log(`Fake ${venues.join(", ")}: LIVE_FAKE_VENUES=${url}`);

async function readFolder(folder: string) {
  return readRecording(folder).catch((error: unknown) => {
    throw error instanceof StartError ? new ToolError(error.message) : error;
  });
}
