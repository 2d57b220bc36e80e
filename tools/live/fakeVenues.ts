/**
 * `npm run look -- fake-venues`: fake venues for a live market, for developing without a
 * network: `WORLD=test-live MARKET=live LIVE_FAKE_VENUES=<address> npm start`. Their prices are
 * generated; nothing of them is a venue's own.
 */
import { startFakeVenues } from "#server/testing/fakeVenues/fakeVenues.ts";
import { parseOptions, wholeNumber } from "../lib/options.ts";

const { values } = parseOptions(
  { options: { port: { type: "string" }, seed: { type: "string" } } },
  "npm run look -- fake-venues [--port 9100] [--seed 1]",
);
const port = wholeNumber("port", values.port, { from: 0, to: 65_535, or: 9_100 });
const seed = wholeNumber("seed", values.seed, { from: 0, to: 999_999_999, or: 1 });
const { url, venues } = await startFakeVenues(seed, port);
console.log(`Fake ${venues.join(", ")}: LIVE_FAKE_VENUES=${url}`);
