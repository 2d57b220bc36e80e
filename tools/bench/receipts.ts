/**
 * The cost of the browser's own check of a receipt once its files are there: processor time per
 * evidence file of the vectors (one of each kind of receipt), with every hash, path and signature
 * recomputed, beside one Ed25519 verification of the same library in the same run.
 */
import { readFileSync } from "node:fs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { checkEvidence } from "#web/features/receipt/evidence/checkEvidence.ts";
import { findReceiptKind, type ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { computeQuantile } from "../lib/quantile.ts";
import { printConditions } from "./lib/conditions.ts";

interface Vectors {
  witness: string;
  files: { name: string; file: unknown }[];
}

/** Most processor time that a check may take, in milliseconds. */
const aimMs = 300;
const rounds = 30;

const path = new URL("../../docs/formats/vectors/evidence.json", import.meta.url);
const vectors = JSON.parse(readFileSync(path, "utf8")) as Vectors;
const verify = (signature: Uint8Array, message: Uint8Array, key: Uint8Array) =>
  ed25519.verify(signature, message, key);

async function check(file: unknown): Promise<void> {
  const { ok } = await checkEvidence<ReceiptDetail>(file, {
    kindOf: findReceiptKind,
    store: { read: () => null },
    witnessKeys: [vectors.witness],
    verify,
  });
  if (!ok) throw new Error("a receipt of the vectors does not agree");
}

/** Processor milliseconds of each round; the first few, which compile, count as well. */
async function measure(work: () => Promise<void> | void): Promise<number[]> {
  const cpuTimesMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    cpuTimesMs.push((user + system) / 1_000);
  }
  return cpuTimesMs;
}

printConditions(`${vectors.files.length} evidence files, each checked ${rounds} times`);
let slowestMs = 0;
for (const { name, file } of vectors.files) {
  const cpuTimesMs = await measure(() => check(file));
  const medianMs = computeQuantile(
    cpuTimesMs.toSorted((a, b) => a - b),
    0.5,
  );
  slowestMs = Math.max(slowestMs, ...cpuTimesMs);
  console.log(
    `${name}: first ${cpuTimesMs[0]!.toFixed(1)} ms, median ${medianMs.toFixed(1)} ms, most ${Math.max(...cpuTimesMs).toFixed(1)} ms`,
  );
}
const secret = new Uint8Array(32).fill(7);
const message = new TextEncoder().encode("one signature");
const [signature, key] = [ed25519.sign(message, secret), ed25519.getPublicKey(secret)];
const single = await measure(() => void verify(signature, message, key));
const oneMs = computeQuantile(
  single.toSorted((a, b) => a - b),
  0.5,
);
console.log(
  `receipts: at most ${slowestMs.toFixed(0)} ms of processor time, ${(slowestMs / oneMs).toFixed(0)} Ed25519 verifications of ${oneMs.toFixed(1)} ms (aim ${aimMs} ms: ${slowestMs <= aimMs ? "held" : "missed"})`,
);
