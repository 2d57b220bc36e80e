import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  encodeVkey,
  type NoteKey,
  noteKey,
  type SignEd25519,
} from "#core/transparency-log/checkpoint.ts";
import { signHandover } from "#core/transparency-log/handover.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import { writeDurably } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";
import {
  countLeaves,
  ensureLogName,
  insertKey,
  readKeys,
  readOrigin,
} from "#server/transparency-log/store.ts";

export interface LogSigner {
  key: NoteKey;
  sign: SignEd25519;
}

/**
 * The signing keys, newest first. An older one co-signs, so that a client that trusts it can follow
 * to the newer.
 */
export interface LogKeys {
  origin: string;
  signers: LogSigner[];
}

export interface KeyFile {
  origin: string;
  /** Newest first: Ed25519 private keys, PKCS 8 PEM. */
  private_keys: string[];
}

/** More than two signatures on a checkpoint would help no one. */
const signersMax = 2;

export function keyFilePath(dataDirectory: string, worldName: string): string {
  return join(dataDirectory, `log-key-${worldName}.json`);
}

export function readKeyFile(path: string): KeyFile | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new StartError(`The log's key file ${path} cannot be read.`);
  }
  try {
    const file = JSON.parse(text) as KeyFile;
    for (const pem of file.private_keys) createPrivateKey(pem);
    if (file.private_keys.length > 0 && file.origin) return file;
  } catch {
    // reported below
  }
  throw new StartError(`The log's key file ${path} is damaged: put a copy of it back.`);
}

/** Durable before the database lists the key: a log whose key is lost cannot be signed again. */
export function writeKeyFile(path: string, file: object): Promise<void> {
  return writeDurably(path, `${JSON.stringify(file, null, 2)}\n`);
}

export function makePrivateKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

export function createSigner(origin: string, pem: string): LogSigner {
  const secret: KeyObject = createPrivateKey(pem);
  const { x } = secret.export({ format: "jwk" });
  const key = noteKey(origin, new Uint8Array(Buffer.from(x!, "base64url")));
  return { key, sign: (message) => new Uint8Array(sign(null, message, secret)) };
}

function toLogKeys(file: KeyFile): LogKeys {
  const signers = file.private_keys
    .slice(0, signersMax)
    .map((pem) => createSigner(file.origin, pem));
  return { origin: file.origin, signers };
}

/** A name for a log that begins now. */
export function makeOrigin({ config, world }: Pick<AppContext, "config" | "world">): string {
  const host = config.publicUrl?.host ?? "drydock.invalid";
  return `${host}/${world.name}/${randomBytes(4).toString("hex")}`;
}

/**
 * The log's signing keys, kept in the data directory (mode 0600) and created on first use together
 * with the log's name. Throws a StartError if the log has keys already but their file is gone: a
 * log that silently changed its key would look replaced to everyone who follows it.
 */
export async function openKeys(
  ctx: Pick<AppContext, "config" | "world" | "database">,
): Promise<LogKeys> {
  const { db } = ctx.database;
  const path = keyFilePath(ctx.config.dataDirectory, ctx.world.name);
  let file = readKeyFile(path);
  if (!file) {
    if ((await readKeys(db)).length > 0) {
      throw new StartError(
        `The log's key file ${path} is missing, but the log of the world ${ctx.world.name} was signed with it before: put a copy of it back.`,
      );
    }
    await mkdir(ctx.config.dataDirectory, { recursive: true });
    file = { origin: await ensureLogName(db, makeOrigin(ctx)), private_keys: [makePrivateKey()] };
    await writeKeyFile(path, file);
  }
  const origin = await ensureLogName(db, file.origin);
  if (origin !== file.origin) {
    throw new StartError(
      `The log's key file ${path} belongs to another log than this database. If a succession was interrupted, or the database is older than one, run "npm run succession".`,
    );
  }
  await listKeys(db, file);
  return toLogKeys(file);
}

/**
 * Lists every key of the file that is not listed yet, oldest first, with the note by which the one
 * before it handed over: a client that trusts any of them can follow to the newest.
 */
async function listKeys(db: Db, { origin, private_keys: pems }: KeyFile): Promise<void> {
  const signers = pems.map((pem) => createSigner(origin, pem)).toReversed();
  const storedKeys = await readKeys(db);
  for (const [index, signer] of signers.entries()) {
    const vkey = encodeVkey(signer.key);
    if (storedKeys.some((storedKey) => storedKey.vkey === vkey)) continue;
    const before = signers[index - 1];
    const handover = before ? createHandover(before, signer) : null;
    await insertKey(db, { vkey, fromSize: await firstSize(db, storedKeys), handover });
  }
}

function createHandover(before: LogSigner, after: LogSigner): string {
  const [from, to] = [encodeVkey(before.key), encodeVkey(after.key)];
  return signHandover({ origin: before.key.name, from, to }, [before, after]);
}

/** The first key signs from the start, a later one only leaves that do not exist yet. */
async function firstSize(db: Db, storedKeys: readonly unknown[]): Promise<number> {
  return storedKeys.length === 0 ? 0 : await countLeaves(db);
}

/** As many signatures as a note may have, so that a succession can bear one of each. */
const keysMax = 64;

/**
 * Makes a new key the signing one and keeps the previous one next to it. Takes effect when the log
 * is next opened; the old key stays listed and verifiable. Throws a StartError if there is no key
 * yet, or if there are 64.
 */
export async function rotateKeys(dataDirectory: string, worldName: string): Promise<void> {
  const path = keyFilePath(dataDirectory, worldName);
  const file = readKeyFile(path);
  if (!file) throw new StartError(`There is no key file ${path} to rotate.`);
  if (file.private_keys.length >= keysMax)
    throw new StartError(`The log has had ${keysMax} keys, and cannot get another.`);
  await writeKeyFile(path, { ...file, private_keys: [makePrivateKey(), ...file.private_keys] });
}

/**
 * The log's public identity as anyone reads it: name and verifier keys, newest first; null before
 * it has one.
 */
export async function readIdentity(
  db: Db,
): Promise<{ origin: string; keys: { vkey: string; fromSize: number }[] } | null> {
  const origin = await readOrigin(db);
  const keys = await readKeys(db);
  return origin && keys.length > 0 ? { origin, keys } : null;
}
