import { readFileSync } from "node:fs";
import { join } from "node:path";
import { acknowledgementKeyName, certificateText } from "#core/transparency-log/acknowledgement.ts";
import { encodeVkey, signNote, splitNote } from "#core/transparency-log/checkpoint.ts";
import { StartError } from "#server/platform/startError.ts";
import {
  createSigner,
  type LogKeys,
  type LogSigner,
  makePrivateKey,
  writeKeyFile,
} from "#server/transparency-log/keys.ts";

/**
 * The key of acknowledgements, in a separate file beside the log's key: processes that answer
 * requests hold it, but cannot certify anything with it (decision 044).
 */
interface AcknowledgementKeyFile {
  origin: string;
  /** Ed25519 private key, PKCS 8 PEM. */
  private_key: string;
  /** Signed by the log's keys. */
  certificate: string;
}

export interface AcknowledgementKey {
  origin: string;
  signer: LogSigner;
  certificate: string;
}

const toPath = (dataDirectory: string, worldName: string) =>
  join(dataDirectory, `acknowledgement-key-${worldName}.json`);

/** The key; null while there is none. Throws a StartError when its file is damaged. */
export function readAcknowledgementKey(
  dataDirectory: string,
  worldName: string,
): AcknowledgementKey | null {
  const file = readFile(toPath(dataDirectory, worldName));
  if (!file) return null;
  const { origin, certificate } = file;
  return {
    origin,
    certificate,
    signer: createSigner(acknowledgementKeyName(origin), file.private_key),
  };
}

function readFile(path: string): AcknowledgementKeyFile | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new StartError(`The key file ${path} cannot be read.`);
  }
  try {
    const file = JSON.parse(text) as AcknowledgementKeyFile;
    if (splitNote(file.certificate) && createSigner(file.origin, file.private_key)) return file;
  } catch {
    // Reported below.
  }
  throw new StartError(`The key file ${path} is damaged: move it away, and a new one is made.`);
}

/**
 * Makes the key, or certifies it again when the log's keys have changed. For the process that has
 * the log's keys.
 */
export async function certifyAcknowledgementKey(
  dataDirectory: string,
  worldName: string,
  { origin, signers }: LogKeys,
): Promise<void> {
  const path = toPath(dataDirectory, worldName);
  const before = readFile(path);
  const file = before?.origin === origin ? before : null;
  const privateKey = file?.private_key ?? makePrivateKey();
  const { key } = createSigner(acknowledgementKeyName(origin), privateKey);
  const certificate = signNote(certificateText(worldName, origin, encodeVkey(key)), signers);
  if (file?.certificate === certificate) return;
  await writeKeyFile(path, { origin, private_key: privateKey, certificate });
}
