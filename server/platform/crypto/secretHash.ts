import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { ApiError } from "#server/platform/apiError.ts";

/**
 * scrypt (RFC 7914) with N = 2^15, r = 8, p = 3: 32 MB and about a quarter of a second each.
 * Memory-hard, so that whoever copies the table pays that for each PIN or passphrase they try.
 */
const current = { log2N: 15, r: 8, p: 3 };
const hashBytes = 32;

/** How many may queue: a full queue clears soon. */
const waitingMax = 64;

/** What is stored of a PIN or passphrase. */
export interface SecretHash {
  /** `scrypt/<log2 N>/<r>/<p>`: how the hash was made, so that later ones can be stronger. */
  scheme: string;
  salt: Buffer;
  hash: Buffer;
}

export interface SecretHasher {
  make(secret: string): Promise<SecretHash>;
  matches(secret: string, kept: SecretHash): Promise<boolean>;
}

/**
 * Computes `atOnce` hashes concurrently, 32 MB each. Each hasher has a queue of its own, so that a
 * flood of PINs does not keep operators waiting. Throws `server.unavailable` when too many wait.
 */
export function createSecretHasher(atOnce: number): SecretHasher {
  const turns = createTurns(atOnce);
  const run = (secret: string, salt: Buffer, scheme: string) =>
    turns(() => derive(secret, salt, readScheme(scheme)));
  return {
    make: async (secret) => {
      const scheme = `scrypt/${current.log2N}/${current.r}/${current.p}`;
      const salt = randomBytes(16);
      return { scheme, salt, hash: await run(secret, salt, scheme) };
    },
    matches: async (secret, { scheme, salt, hash }) =>
      timingSafeEqual(await run(secret, salt, scheme), hash),
  };
}

function readScheme(scheme: string) {
  const [name, log2N, r, p] = scheme.split("/");
  if (name !== "scrypt") throw new Error(`unknown hash scheme ${name}`);
  return { log2N: Number(log2N), r: Number(r), p: Number(p) };
}

function derive(secret: string, salt: Buffer, { log2N, r, p }: typeof current): Promise<Buffer> {
  const N = 2 ** log2N;
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, hashBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** Runs at most `atOnce` at a time, in order of arrival. */
function createTurns(atOnce: number) {
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
