import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Bus } from "#server/platform/bus/bus.ts";
import type { RealClock } from "#server/platform/clock/clock.ts";
import type { Config } from "#server/platform/config/config.ts";
import { createKeyFiles } from "#server/platform/crypto/keyFiles.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /**
     * A person's account was deleted and their key destroyed: drop everything of theirs held in
     * memory.
     */
    "person.forgotten": { userId: string };
  }
}

/**
 * Personal texts at rest. What people typed is written to the database only encrypted, under a key
 * per person that is kept as a small file below the data directory. Once the key is gone, every
 * copy of the ciphertext (dead rows, write-ahead log, database backups) is unreadable for good.
 */
export interface FieldEncryption {
  /**
   * Makes the key of a person who signs up, or of a verification that is sent; only before
   * anything of theirs is encrypted. Keeps the one there is. Throws KeyDestroyedError if it was
   * destroyed.
   */
  createKey(userId: string): Promise<void>;
  /**
   * AES-256-GCM with the person as associated data; 29 bytes longer than the plaintext. Throws
   * KeyDestroyedError if the person's key was destroyed, and KeyMissingError if there is none.
   */
  encrypt(userId: string, plaintext: string | Uint8Array): Promise<Buffer>;
  /**
   * Throws KeyDestroyedError if the person's key was destroyed, KeyMissingError if there is none,
   * and a plain Error if the bytes were not encrypted for this person.
   */
  decrypt(userId: string, ciphertext: Uint8Array): Promise<Buffer>;
  /**
   * Decodes as UTF-8; null where the key was destroyed, so that the row of a deleted person never
   * fails a whole list.
   */
  decryptText(userId: string, ciphertext: Uint8Array | null): Promise<string | null>;
  /**
   * Destroys the person's key for good, in every process; a new one is never created. Idempotent.
   */
  destroyKey(userId: string): Promise<void>;
  /** Ids whose keys were destroyed here, including before a database backup was restored. */
  destroyedKeys(): Promise<string[]>;
  /**
   * HMAC-SHA-256 under a key of this instance: looks up encrypted values without revealing them.
   * `use` separates the digests of different columns.
   */
  blindIndex(use: string, text: string): Promise<Buffer>;
  /**
   * Identifies this instance's key without revealing it; null if there is none and `make` is false.
   */
  keyId(make: boolean): Promise<Buffer | null>;
}

/** The person's key was destroyed: data encrypted with it can never be read again. */
export class KeyDestroyedError extends Error {
  constructor() {
    super("this person's key was destroyed: data encrypted with it can no longer be read");
    this.name = "KeyDestroyedError";
  }
}

/**
 * A person's key is neither present nor marked as destroyed: the directory is not the one it was
 * created in, or the file was lost. A new one in its place could never read what the old one wrote.
 */
export class KeyMissingError extends Error {
  constructor() {
    super("the key file of a person is missing: put a copy of the directory `keys` back");
    this.name = "KeyMissingError";
  }
}

/**
 * How long a key stays in memory: a process that missed the destruction event stops trusting its
 * copy after this.
 */
const keyLifeMs = 60_000;
const keysMax = 5_000;
const format = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + nonceBytes;
const personForm = /^[0-9A-Za-z_-]{16,64}$/;

export function createFieldEncryption({
  config,
  bus,
  realClock,
}: {
  config: Config;
  bus: Bus;
  realClock: RealClock;
}): FieldEncryption {
  const files = createKeyFiles(join(config.dataDirectory, "keys"));
  const readKey = async (userId: string, make: boolean): Promise<Buffer> => {
    const key = await files.read(toKeyPath(userId), make);
    if (key) return key;
    if (await files.isDestroyed(toKeyPath(userId))) throw new KeyDestroyedError();
    throw new KeyMissingError();
  };
  const keys = createTtlCache((userId: string) => readKey(userId, false), {
    ttlMs: keyLifeMs,
    clock: realClock,
    shouldCache: () => true,
    entriesMax: keysMax,
  });
  bus.subscribe("person.forgotten", ({ userId }) => keys.invalidate(userId));
  bus.subscribe("bus.reconnected", () => keys.invalidate());
  let instance: Promise<Buffer | null> | null = null;
  const instanceKey = async (make: boolean) => {
    instance ??= files.read("instance", make);
    const key = await instance.catch((error: unknown) => {
      instance = null;
      throw error;
    });
    if (!key) instance = null;
    return key;
  };
  const digest = (key: Buffer, use: string, text: string) =>
    createHmac("sha256", key).update(`${use}\0${text}`).digest();
  const fieldEncryption: FieldEncryption = {
    createKey: async (userId) => void (await readKey(userId, true)),
    encrypt: async (userId, plaintext) => encryptWith(await keys.get(userId), userId, plaintext),
    decrypt: async (userId, ciphertext) => decryptWith(await keys.get(userId), userId, ciphertext),
    decryptText: async (userId, ciphertext) => {
      if (!ciphertext) return null;
      try {
        return (await fieldEncryption.decrypt(userId, ciphertext)).toString("utf8");
      } catch (error) {
        if (error instanceof KeyDestroyedError) return null;
        throw error;
      }
    },
    destroyKey: async (userId) => {
      await files.destroy(toKeyPath(userId));
      bus.publish("person.forgotten", { userId });
    },
    destroyedKeys: () => files.destroyed("person"),
    blindIndex: async (use, text) => {
      const key = await instanceKey(true);
      if (!key) throw new Error("the instance's key is marked as destroyed");
      return digest(key, use, text);
    },
    keyId: async (make) => {
      const key = await instanceKey(make);
      return key && digest(key, "fingerprint", "");
    },
  };
  return fieldEncryption;
}

/** Spread over 256 directories, so that none of them grows without bound. */
function toKeyPath(userId: string): string {
  if (!personForm.test(userId)) throw new RangeError("not a person's id");
  const spread = createHash("sha256").update(userId).digest("hex").slice(0, 2);
  return `person/${spread}/${userId}`;
}

function encryptWith(key: Buffer, userId: string, plaintext: string | Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(userId));
  const body = [cipher.update(Buffer.from(plaintext as Uint8Array)), cipher.final()];
  return Buffer.concat([Buffer.of(format), nonce, ...body, cipher.getAuthTag()]);
}

function decryptWith(key: Buffer, userId: string, ciphertext: Uint8Array): Buffer {
  const bytes = Buffer.from(ciphertext.buffer, ciphertext.byteOffset, ciphertext.byteLength);
  if (bytes.length < headerBytes + tagBytes || bytes[0] !== format) {
    throw new Error("these bytes were not encrypted here");
  }
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(1, headerBytes))
    .setAAD(Buffer.from(userId))
    .setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(headerBytes, -tagBytes)), decipher.final()]);
}
