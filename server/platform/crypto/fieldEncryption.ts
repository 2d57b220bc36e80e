import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Bus } from "#server/platform/bus/bus.ts";
import type { RealClock } from "#server/platform/clock.ts";
import type { Parts } from "#server/platform/context.ts";
import { createKeyFiles } from "#server/platform/crypto/keyFiles.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /**
     * A person's account was deleted and their key destroyed: whatever is kept of them in memory is
     * dropped.
     */
    "person.forgotten": { userId: string };
  }
}

/**
 * Personal texts at rest. What a person typed is written to the database only sealed under a key of that person's own, kept as a
 * small file below the data directory: when the key is gone, every copy of the sealed bytes (dead rows, write-ahead log, backups
 * of the database) is noise for good.
 */
export interface Sealing {
  /** AES-256-GCM, the person bound in: 29 bytes longer than what is sealed. Throws KeyForgotten for a person who was forgotten. */
  seal(userId: string, what: string | Uint8Array): Promise<Buffer>;
  /** Throws KeyForgotten when the person's key is gone, and a plain Error when the bytes are not what was sealed for this person. */
  open(userId: string, sealed: Uint8Array): Promise<Buffer>;
  /** As UTF-8; null where the key is gone, so that a list never fails because of one row. */
  openText(userId: string, sealed: Uint8Array | null): Promise<string | null>;
  /** Destroys the person's key for good, in every process; no new one is ever made. Doing it twice changes nothing. */
  forget(userId: string): Promise<void>;
  /** Ids whose keys were destroyed here, before a copy of the database was put back too. */
  forgotten(): Promise<string[]>;
  /**
   * HMAC-SHA-256 under a key of this instance: finds what is sealed without saying what it is. `use` keeps the digests of
   * different columns apart.
   */
  blind(use: string, text: string): Promise<Buffer>;
  /** What tells this instance's key from another without showing it; null when there is none and none is to be made. */
  fingerprint(make: boolean): Promise<Buffer | null>;
}

/** The person's key was destroyed: what was sealed with it can never be read again. */
export class KeyForgotten extends Error {
  constructor() {
    super("the key of this person was destroyed: what was sealed with it cannot be read any more");
    this.name = "KeyForgotten";
  }
}

/** How long a key stays in memory: a process that missed the word of its end stops trusting its copy after this. */
const keyLifeMs = 60_000;
const keysMax = 5_000;
const format = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + nonceBytes;
const personForm = /^[0-9A-Za-z_-]{16,64}$/;

export function createSealing({
  config,
  bus,
  realClock,
}: Pick<Parts, "config" | "bus" | "realClock">): Sealing {
  const files = createKeyFiles(join(config.dataDirectory, "keys"));
  const keys = createKeyCache(bus, realClock);
  const keyOf = async (userId: string, make: boolean): Promise<Buffer> => {
    const kept = keys.get(userId);
    if (kept) return kept;
    const started = keys.endings();
    const key = await files.read(placeOf(userId), make);
    if (!key) throw new KeyForgotten();
    if (started === keys.endings()) keys.put(userId, key);
    return key;
  };
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
  const sealing: Sealing = {
    seal: async (userId, what) => sealWith(await keyOf(userId, true), userId, what),
    open: async (userId, sealed) => openWith(await keyOf(userId, false), userId, sealed),
    openText: async (userId, sealed) => {
      if (!sealed) return null;
      try {
        return (await sealing.open(userId, sealed)).toString("utf8");
      } catch (error) {
        if (error instanceof KeyForgotten) return null;
        throw error;
      }
    },
    forget: async (userId) => {
      await files.destroy(placeOf(userId));
      bus.publish("person.forgotten", { userId });
    },
    forgotten: () => files.destroyed("person"),
    blind: async (use, text) => {
      const key = await instanceKey(true);
      if (!key) throw new Error("the instance's key is marked as destroyed");
      return digest(key, use, text);
    },
    fingerprint: async (make) => {
      const key = await instanceKey(make);
      return key && digest(key, "fingerprint", "");
    },
  };
  return sealing;
}

/** Spread over 256 directories, so that none of them grows without end. */
function placeOf(userId: string): string {
  if (!personForm.test(userId)) throw new RangeError("not the id of a person");
  const spread = createHash("sha256").update(userId).digest("hex").slice(0, 2);
  return `person/${spread}/${userId}`;
}

function sealWith(key: Buffer, userId: string, what: string | Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(userId));
  const body = [cipher.update(Buffer.from(what as Uint8Array)), cipher.final()];
  return Buffer.concat([Buffer.of(format), nonce, ...body, cipher.getAuthTag()]);
}

function openWith(key: Buffer, userId: string, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < headBytes + tagBytes || bytes[0] !== format) {
    throw new Error("these bytes were not sealed here");
  }
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(1, headBytes))
    .setAAD(Buffer.from(userId))
    .setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(headBytes, -tagBytes)), decipher.final()]);
}

function createKeyCache(bus: Bus, clock: RealClock) {
  const kept = new Map<string, { key: Buffer; untilMs: number }>();
  /** Counts what makes a key that is being read right now an old one. */
  let endings = 0;
  const drop = (userId: string) => {
    endings += 1;
    kept.delete(userId);
  };
  bus.subscribe("person.forgotten", ({ userId }) => drop(userId));
  return {
    endings: () => endings,
    get: (userId: string): Buffer | null => {
      const found = kept.get(userId);
      return found && found.untilMs > clock.nowMs() ? found.key : null;
    },
    put: (userId: string, key: Buffer) => {
      if (kept.size >= keysMax) kept.clear();
      kept.set(userId, { key, untilMs: clock.nowMs() + keyLifeMs });
    },
  };
}
