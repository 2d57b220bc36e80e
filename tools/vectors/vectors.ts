import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAcknowledgementVectors } from "./acknowledgement.ts";
import { createAuditVectors } from "./audit.ts";
import { createBeaconVectors } from "./beacon.ts";
import { createComparisonVectors } from "./comparison.ts";
import { createEd25519Vectors } from "./ed25519.ts";
import { createEvidenceVectors } from "./evidence.ts";
import { createHandoverVectors } from "./handover.ts";
import { createHostingVectors } from "./hosting.ts";
import { createJournalVectors } from "./journal.ts";
import { createLeafVectors } from "./leaf.ts";
import {
  createCanonicalVectors,
  createCheckpointVectors,
  createMerkleVectors,
  createTileVectors,
} from "./log.ts";
import { createMiningVectors } from "./mining.ts";
import { createNetworkVectors } from "./network.ts";
import { createReceiptVectors } from "./receipt.ts";
import { createSimulatorVectors } from "./simulator.ts";
import { createSuccessionVectors } from "./succession.ts";

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
export function createVectors(): Record<string, string> {
  const contracts = createReceiptVectors();
  const journals = createJournalVectors();
  const mining = createMiningVectors();
  const hosting = createHostingVectors();
  const evidence = createEvidenceVectors({ contracts, journals, mining, hosting });
  const files = {
    "canonical.json": createCanonicalVectors(),
    "merkle.json": createMerkleVectors(),
    "tile.json": createTileVectors(),
    "checkpoint.json": createCheckpointVectors(),
    "ed25519.json": createEd25519Vectors(),
    "leaf.json": createLeafVectors(),
    "handover.json": createHandoverVectors(),
    "succession.json": createSuccessionVectors(),
    "simulator.json": createSimulatorVectors(),
    "beacon.json": createBeaconVectors(),
    "acknowledgement.json": createAcknowledgementVectors(),
    "audit.json": createAuditVectors(),
    "receipt.json": contracts,
    "journal.json": journals,
    "mining.json": mining,
    "network.json": createNetworkVectors(),
    "hosting.json": hosting,
    "evidence.json": evidence,
    "comparison.json": createComparisonVectors(journals, evidence),
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [name, `${JSON.stringify(content, null, 1)}\n`]),
  );
}

if (import.meta.main) {
  mkdirSync(vectorDirectory, { recursive: true });
  const vectors = createVectors();
  for (const [name, text] of Object.entries(vectors))
    writeFileSync(join(vectorDirectory, name), text);
  writeFileSync(specimenFile, formatSpecimen(vectors));
}
