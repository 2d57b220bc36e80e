import { MismatchError } from "./log/bytes.ts";
import { readTrustedKey } from "./log/checkpointStore.ts";
import { LogReader } from "./log/logReader.ts";
import { type Checkpoint, isSignedBy, parseCheckpoint, parseVerifierKey } from "./log/note.ts";

/**
 * Not a difference: something could not be fetched, or the usage was wrong, so nothing was checked.
 */
export class CannotCheckError extends Error {}

/** An instance's published data over HTTP. */
export interface Instance {
  readonly file: (path: string) => Promise<Uint8Array>;
  readonly call: (path: string, token?: string) => Promise<unknown>;
  /** The file that a browser gets at `path`; null if it does not exist. */
  readonly page: (path: string) => Promise<Uint8Array | null>;
}

const timeoutMs = 20_000;
/**
 * A long computation between two reads can outlive a keep-alive connection, so failed requests are
 * retried.
 */
const triesMax = 3;

interface Answer {
  status: number;
  body: Uint8Array;
}

async function get(base: string, path: string, headers: Record<string, string>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      const response = await fetch(base + path, {
        headers,
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
    } catch {
      if (tries === triesMax) throw new CannotCheckError(`${base} does not answer.`);
    }
  }
}

export function openInstance(url: string): Instance {
  const base = url.replace(/\/+$/, "");
  return {
    file: async (path) => {
      const { status, body } = await get(base, `/log/${path}`, {});
      if (status === 404)
        throw new MismatchError("leaves", "leaf_missing", `/log/${path} is not served`);
      if (status !== 200) throw new CannotCheckError(`${base}/log/${path} answered ${status}.`);
      return body;
    },
    call: async (path, token) => {
      const headers = { language: "en", ...(token ? { token } : {}) };
      const { status, body } = await get(base, path, headers);
      const envelope = parseBody(body) as { code?: number; msg?: string; data?: unknown } | null;
      if (envelope?.code !== 1)
        throw new CannotCheckError(envelope?.msg ?? `${base}${path} answered ${status}.`);
      return envelope.data;
    },
    page: async (path) => {
      const { status, body } = await get(base, path, { accept: "text/html" });
      return status === 200 ? body : null;
    },
  };
}

function parseBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return null;
  }
}

export interface LogState {
  reader: LogReader;
  vkey: string;
  /** All keys of this log: the trusted one, and those that the instance lists. */
  keys: readonly string[];
  /** Leaves that end an older log, as the instance lists them. */
  successions: readonly number[];
  message: string;
}

/**
 * Step 2: the newest checkpoint, signed by the key trusted for this log, or by the newest listed
 * key if the log was never seen. `statedLog` is the receipt's own `log` member, if any.
 */
export async function openLog(
  instance: Instance,
  storeFile: string,
  statedLog: { origin: string; vkey: string } | null,
): Promise<LogState> {
  const note = Buffer.from(await instance.file("checkpoint")).toString("utf8");
  const checkpoint = parseCheckpoint(note);
  const state = (await instance.call("/api/log/getState")) as {
    keys?: { vkey: string }[];
    successions?: unknown;
  };
  const listedVkeys = (state.keys ?? []).map(({ vkey }) => vkey);
  if (statedLog && statedLog.origin !== checkpoint.origin) {
    throw new MismatchError(
      "signature",
      "origin_differs",
      `the receipt is of ${statedLog.origin}, this log is ${checkpoint.origin}`,
    );
  }
  if (statedLog && !listedVkeys.includes(statedLog.vkey))
    throw new MismatchError("signature", "key_unknown", statedLog.vkey);
  const trusted = readTrustedKey(storeFile, checkpoint.origin);
  const keys = trusted === null ? listedVkeys : [trusted, ...listedVkeys];
  const signer = keys.find((vkey) => isSignedBy(checkpoint, parseVerifierKey(vkey)));
  if (!signer)
    throw new MismatchError("signature", "signature_wrong", "no listed key signed the checkpoint");
  return {
    reader: new LogReader(checkpoint, instance.file),
    vkey:
      signer === trusted &&
      listedVkeys[0] &&
      isSignedBy(checkpoint, parseVerifierKey(listedVkeys[0]))
        ? listedVkeys[0]
        : signer,
    keys,
    successions: parseLeafIndexes(state.successions),
    message: `Checkpoint of ${checkpoint.size} leaves, signed by ${checkpoint.origin}${trusted ? "" : " (a key not seen before)"}.`,
  };
}

/** Parses the leaf indexes in a list of the instance. */
export function parseLeafIndexes(list: unknown): number[] {
  const isIndex = (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0;
  return Array.isArray(list) ? list.filter(isIndex) : [];
}

/**
 * The newest checkpoint with cosignatures of witnesses, signed by one of the log's `keys` (before a
 * key change they cosigned what the older one signed). That tree or the opened one must extend the
 * other. Null if the instance serves no cosigned checkpoint.
 */
export async function readCosigned(
  instance: Instance,
  reader: LogReader,
  keys: readonly string[],
): Promise<Checkpoint | null> {
  let note: string;
  try {
    note = Buffer.from(await instance.file("cosigned")).toString("utf8");
  } catch (error) {
    if (error instanceof MismatchError && error.difference === "leaf_missing") return null;
    throw error;
  }
  const cosigned = parseCheckpoint(note);
  const { origin, size } = reader.checkpoint;
  const isSigned = keys.some((vkey) => isSignedBy(cosigned, parseVerifierKey(vkey)));
  if (cosigned.origin !== origin || !isSigned)
    throw new MismatchError("signature", "signature_wrong", "the cosigned checkpoint");
  if (cosigned.size <= size) await reader.continues(cosigned);
  else await new LogReader(cosigned, instance.file).continues(reader.checkpoint);
  return cosigned;
}
