import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchRecording, type RecordingRequest } from "#server/market/recordings/fetchRecording.ts";
import { type FakeVenues, startFakeVenues } from "#server/testing/fakeVenues/fakeVenues.ts";

const root = mkdtempSync(join(tmpdir(), "drydock-fetched-"));
const fromMs = Date.UTC(2023, 2, 10);
const request: RecordingRequest = {
  venues: ["bitstamp", "coinbase"],
  symbols: ["BTC/USD", "USDC/USD"],
  fromMs,
  toMs: fromMs + 24 * 3_600_000,
};
let fakeVenues: FakeVenues;
let folders = 0;
const newFolder = () => {
  folders += 1;
  return join(root, `${folders}`);
};
const fullFolder = newFolder();
const listFiles = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]),
  );

beforeAll(async () => {
  fakeVenues = await startFakeVenues(3);
});
afterAll(async () => {
  await fakeVenues.stop();
  rmSync(root, { recursive: true, force: true });
});

const fetchInto = (
  folder: string,
  change: {
    request?: Partial<RecordingRequest>;
    signal?: AbortSignal;
    onProgress?: () => void;
  } = {},
) =>
  fetchRecording(
    { ...request, ...change.request },
    {
      folder,
      fakeVenues: fakeVenues.url,
      signal: change.signal ?? new AbortController().signal,
      retryMs: 20,
      ...(change.onProgress ? { onProgress: change.onProgress } : {}),
    },
  );

describe("fetching klines", () => {
  test("a fetched recording is checked and hashed, with licences and gaps noted", async () => {
    const { recording, files, absent } = await fetchInto(fullFolder);
    expect(recording.listing.map(({ name, venues }) => [name, venues])).toEqual([
      ["BTC/USD", ["bitstamp", "coinbase"]],
      ["USDC/USD", ["bitstamp"]],
    ]);
    expect(absent).toEqual(["coinbase does not list USDC/USD."]);
    for (const { present, missing, longestGap } of files) {
      expect(present + missing).toBe(24 * 60);
      // The fake venues trade in seven minutes of eight.
      expect(missing).toBeGreaterThan(60);
      expect(longestGap).toBeGreaterThan(1);
    }
    const notes = readFileSync(join(fullFolder, "README.md"), "utf8");
    for (const venue of request.venues) expect(notes).toContain(`## ${venue}\n`);
    expect(notes.match(/Licence: none is granted/g)).toHaveLength(2);
    expect(notes).toContain(recording.hash);
  });

  test("a fetch interrupted twice resumes to the same bytes as a single run", async () => {
    const parts = newFolder();
    for (const pages of [4, 6]) {
      const interrupt = new AbortController();
      let count = 0;
      const onProgress = () => {
        count += 1;
        if (count === pages) interrupt.abort();
      };
      await expect(fetchInto(parts, { signal: interrupt.signal, onProgress })).rejects.toThrow(
        "the same command goes on",
      );
      const partFiles = readdirSync(parts).filter((name) => name.endsWith(".part"));
      expect(partFiles.length).toBeGreaterThan(0);
      // Cut in the middle of a line, as by a power failure.
      writeFileSync(join(parts, partFiles[0]!), "16784", { flag: "a" });
    }
    await fetchInto(parts);
    expect(listFiles(parts)).toEqual(listFiles(fullFolder));
    expect(Object.keys(listFiles(fullFolder)).toSorted()).toEqual([
      ".request.json",
      "README.md",
      "README.sha256",
      "bitstamp.BTC-USD.1m.csv",
      "bitstamp.USDC-USD.1m.csv",
      "coinbase.BTC-USD.1m.csv",
    ]);
  });

  test("a fetch survives a brief failure of a venue and reports a longer one", async () => {
    const folder = newFolder();
    fakeVenues.inject("bitstamp", "refuse");
    await expect(fetchInto(folder)).rejects.toThrow(/^bitstamp did not answer for BTC\/USD/);
    let requestCount = 0;
    const onProgress = () => {
      requestCount += 1;
      if (requestCount === 3) fakeVenues.inject("coinbase", "limit");
    };
    fakeVenues.clear("bitstamp", "refuse");
    setTimeout(() => fakeVenues.clear("coinbase", "limit"), 1_000);
    const { files } = await fetchInto(folder, { onProgress });
    expect(files).toHaveLength(3);
  });

  test("a fetch reports that Kraken serves only its last 720 minutes", async () => {
    const { absent, files } = await fetchInto(newFolder(), {
      request: { venues: ["bitstamp", "kraken"], symbols: ["BTC/USD"] },
    });
    expect(files.map(({ venue }) => venue)).toEqual(["bitstamp"]);
    expect(absent.join()).toContain("Kraken serves its last 720 minutes only");
    const toMs = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;
    const recent = await fetchInto(newFolder(), {
      request: { venues: ["kraken"], symbols: ["BTC/USD"], fromMs: toMs - 600 * 60_000, toMs },
    });
    expect(recent.files[0]!.present).toBeGreaterThan(480);
  });

  test("a folder of another request or with a changed file is refused", async () => {
    const folder = newFolder();
    const small = { venues: ["bitstamp"], toMs: fromMs + 3_600_000 };
    await fetchInto(folder, { request: small });
    await expect(fetchInto(folder)).rejects.toThrow("was begun with other venues");
    const file = join(folder, "bitstamp.BTC-USD.1m.csv");
    writeFileSync(file, readFileSync(file, "utf8").replace(/\n[^\n]*\n$/, "\n"));
    await expect(fetchInto(folder, { request: small })).rejects.toThrow(
      "bitstamp.BTC-USD.1m.csv changed since it was fetched",
    );
  });

  test("venues receive only GET requests without credentials", () => {
    expect(fakeVenues.suspicious).toEqual([]);
  });
});
