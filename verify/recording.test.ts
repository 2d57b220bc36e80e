import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sha256, toHex } from "./log/bytes.ts";
import type { World } from "./log/leaves.ts";
import { checkRecording } from "./recording.ts";

const files = {
  "kraken.BTC-USDT.1m.csv": "1\n",
  "binance.BTC-USDT.1m.csv": "2\n",
  "network.csv": "3\n",
  "README.md": "notes",
  ".hidden": "left behind",
};
const computeHash = (text: string) => toHex(sha256(Buffer.from(text)));
const line = (name: keyof typeof files) => `${name}\n${computeHash(files[name])}\n`;
const recording = computeHash(
  line("binance.BTC-USDT.1m.csv") + line("kraken.BTC-USDT.1m.csv") + line("network.csv"),
);
const world = { market: { kind: "replay", speed: 1 }, recording } as World;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "recording-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a recording's folder is compared by its price files alone", () => {
  expect(checkRecording(world, folder)).toContain(recording);
});

test("a changed byte and a world without a recording are refused", () => {
  const recordingDiffers = expect.objectContaining({ difference: "recording_differs" });
  expect(() => checkRecording({ ...world, recording: null }, folder)).toThrow(recordingDiffers);
  writeFileSync(join(folder, "network.csv"), "4\n");
  expect(() => checkRecording(world, folder)).toThrow(recordingDiffers);
});
