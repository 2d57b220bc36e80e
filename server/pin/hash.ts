import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { ApiError } from "#server/platform/apiError.ts";

/**
 * scrypt (RFC 7914) with N = 2^15, r = 8, p = 3: 32 MB and about a quarter of a second each.
 * Memory-hard, so that whoever copies the table pays that for each of the million possible PINs.
 */
const current = { log2N: 15, r: 8, p: 3 };
const hashBytes = 32;

/**
 * Hashes computed concurrently, and how many may queue: at most 64 MB, and a full queue clears
 * soon.
 */
const atOnce = 2;
const waitingMax = 64;

export interface PinHash {
  scheme: string;
  salt: Buffer;
  hash: Buffer;
}

export interface PinHasher {
  make(pin: string): Promise<PinHash>;
  matches(pin: string, kept: PinHash): Promise<boolean>;
}

/** Throws `server.unavailable` when too many are waiting. */
export function createPinHasher(): PinHasher {
  const turns = createTurns();
  const run = (pin: string, salt: Buffer, scheme: string) =>
    turns(() => derive(pin, salt, readScheme(scheme)));
  return {
    make: async (pin) => {
      const scheme = `scrypt/${current.log2N}/${current.r}/${current.p}`;
      const salt = randomBytes(16);
      return { scheme, salt, hash: await run(pin, salt, scheme) };
    },
    matches: async (pin, { scheme, salt, hash }) =>
      timingSafeEqual(await run(pin, salt, scheme), hash),
  };
}

function readScheme(scheme: string) {
  const [name, log2N, r, p] = scheme.split("/");
  if (name !== "scrypt") throw new Error(`unknown PIN hash scheme ${name}`);
  return { log2N: Number(log2N), r: Number(r), p: Number(p) };
}

function derive(pin: string, salt: Buffer, { log2N, r, p }: typeof current): Promise<Buffer> {
  const N = 2 ** log2N;
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, hashBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** Runs at most `atOnce` at a time, in order of arrival. */
function createTurns() {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw new ApiError("server.unavailable");
      await new Promise<void>((go) => waiting.push(go));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The slot is handed over directly, so that no newcomer overtakes.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
