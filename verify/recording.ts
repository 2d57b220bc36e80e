import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MismatchError } from "./log/bytes.ts";
import type { World } from "./log/leaves.ts";

const uncounted = /^(README(\..*)?|LICEN[CS]E(\..*)?|\..*)$/i;
const network = "network.csv";

/** The hash of a recording's folder ("`world`" of docs/formats/log.md), as hex. */
function hashOfRecording(folder: string): string {
  const names = readdirSync(folder).filter((name) => !uncounted.test(name) && name !== network);
  const last = readdirSync(folder).includes(network) ? [network] : [];
  const overallHash = createHash("sha256");
  for (const name of [...names.sort(), ...last]) {
    const content = createHash("sha256").update(readFileSync(join(folder, name)));
    overallHash.update(`${name}\n${content.digest("hex")}\n`);
  }
  return overallHash.digest("hex");
}

/** Compares a folder with the recording that the world replays. */
export function checkRecording({ recording, market }: World, folder: string): string {
  const folderHash = hashOfRecording(folder);
  if (recording === folderHash)
    return `The world replays the recording in ${folder}: ${folderHash}.`;
  const statedRecording = recording ?? `no recording, but a ${market.kind} market`;
  throw new MismatchError(
    "recording",
    "recording_differs",
    `${folderHash}; the log says ${statedRecording}`,
  );
}
