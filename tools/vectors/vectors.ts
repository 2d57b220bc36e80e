import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acknowledgementVectors } from "./acknowledgement.ts";
import { auditVectors } from "./audit.ts";
import { beaconVectors } from "./beacon.ts";
import { comparisonVectors } from "./comparison.ts";
import { ed25519Vectors } from "./ed25519.ts";
import { evidenceVectors } from "./evidence.ts";
import { handoverVectors } from "./handover.ts";
import { hostingVectors } from "./hosting.ts";
import { journalVectors } from "./journal.ts";
import { leafVectors } from "./leaf.ts";
import { canonicalVectors, checkpointVectors, merkleVectors, tileVectors } from "./log.ts";
import { miningVectors } from "./mining.ts";
import { networkVectors } from "./network.ts";
import { receiptVectors } from "./receipt.ts";
import { simulatorVectors } from "./simulator.ts";
import { successionVectors } from "./succession.ts";

/** Directory of the public test vectors. */
export const vectorDirectory = join(import.meta.dirname, "../../docs/formats/vectors");

/**
 * The specimen that visitors can check at /verify before they have a receipt: the evidence file of
 * a contract, which verifies from what is in it.
 */
export const specimenFile = join(import.meta.dirname, "../../web/screens/verify/specimen.json");

export function formatSpecimen(vectors: Record<string, string>): string {
  const { files } = JSON.parse(vectors["evidence.json"]!) as { files: { file: object }[] };
  return `${JSON.stringify(files[0]!.file, null, 1)}\n`;
}

/** Every vector file by name, as the code generates it now. */
export function makeVectors(): Record<string, string> {
  const contracts = receiptVectors();
  const journals = journalVectors();
  const mining = miningVectors();
  const hosting = hostingVectors();
  const evidence = evidenceVectors({ contracts, journals, mining, hosting });
  const files = {
    "canonical.json": canonicalVectors(),
    "merkle.json": merkleVectors(),
    "tile.json": tileVectors(),
    "checkpoint.json": checkpointVectors(),
    "ed25519.json": ed25519Vectors(),
    "leaf.json": leafVectors(),
    "handover.json": handoverVectors(),
    "succession.json": successionVectors(),
    "simulator.json": simulatorVectors(),
    "beacon.json": beaconVectors(),
    "acknowledgement.json": acknowledgementVectors(),
    "audit.json": auditVectors(),
    "receipt.json": contracts,
    "journal.json": journals,
    "mining.json": mining,
    "network.json": networkVectors(),
    "hosting.json": hosting,
    "evidence.json": evidence,
    "comparison.json": comparisonVectors(journals, evidence),
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [name, `${JSON.stringify(content, null, 1)}\n`]),
  );
}

if (import.meta.main) {
  mkdirSync(vectorDirectory, { recursive: true });
  const vectors = makeVectors();
  for (const [name, text] of Object.entries(vectors))
    writeFileSync(join(vectorDirectory, name), text);
  writeFileSync(specimenFile, formatSpecimen(vectors));
}
