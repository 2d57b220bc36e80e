import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { ApiError } from "#server/platform/apiError.ts";

/**
 * scrypt (RFC 7914) with N = 2^15, r = 8, p = 3: 32 MB and about a quarter of a second each.
 * Memory-hard, so that an attacker who copies the table pays that for each PIN or passphrase they
 * try.
 */
const current = { log2N: 15, r: 8, p: 3 };
const hashBytes = 32;

/**
 * Hashes computed concurrently, and how many may queue: at most 64 MB, and a full queue clears
 * soon. New secrets get one place and a quarter of the queue, so that checks always have the other:
 * setting a PIN needs no proof, but withdrawing may need a check.
 */
const turns: TurnLimits = { all: { atOnce: 2, waiting: 64 }, making: { atOnce: 1, waiting: 16 } };

interface TurnLimits {
  all: { atOnce: number; waiting: number };
  making: { atOnce: number; waiting: number };
}

/** The stored form of a PIN or passphrase. */
export interface SecretHash {
  /** `scrypt/<log2 N>/<r>/<p>`: how the hash was made, so that later ones can be stronger. */
  scheme: string;
  salt: Buffer;
  hash: Buffer;
}

export interface SecretHasher {
  make(secret: string): Promise<SecretHash>;
  matches(secret: string, stored: SecretHash): Promise<boolean>;
}

/**
 * Each hasher has its own queue, so that a flood of PINs does not delay operators. Throws
 * `server.unavailable` when too many are waiting.
 */
export function createSecretHasher(limits: TurnLimits = turns): SecretHasher {
  const inTurn = createTurns(limits);
  const run = (purpose: Purpose, secret: string, salt: Buffer, scheme: string) =>
    inTurn(purpose, () => derive(secret, salt, readScheme(scheme)));
  return {
    make: async (secret) => {
      const scheme = `scrypt/${current.log2N}/${current.r}/${current.p}`;
      const salt = randomBytes(16);
      return { scheme, salt, hash: await run("make", secret, salt, scheme) };
    },
    matches: async (secret, { scheme, salt, hash }) =>
      timingSafeEqual(await run("check", secret, salt, scheme), hash),
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

type Purpose = "make" | "check";

/** Runs at most two at a time, of them one `make`, in order of arrival otherwise. */
function createTurns({ all, making }: TurnLimits) {
  const queue: { purpose: Purpose; go: () => void }[] = [];
  const runningCounts = { make: 0, check: 0 };
  const mayRun = (purpose: Purpose) =>
    runningCounts.make + runningCounts.check < all.atOnce &&
    (purpose === "check" || runningCounts.make < making.atOnce);
  const isFull = (purpose: Purpose) =>
    queue.length >= all.waiting ||
    (purpose === "make" &&
      queue.filter((item) => item.purpose === "make").length >= making.waiting);
  const startNext = () => {
    const index = queue.findIndex(({ purpose }) => mayRun(purpose));
    if (index < 0) return;
    const [next] = queue.splice(index, 1);
    runningCounts[next!.purpose] += 1;
    next!.go();
  };
  return async <Result>(purpose: Purpose, work: () => Promise<Result>): Promise<Result> => {
    if (mayRun(purpose)) runningCounts[purpose] += 1;
    else {
      if (isFull(purpose)) throw new ApiError("server.unavailable");
      // A finished computation starts the next directly, so that no newcomer overtakes.
      await new Promise<void>((go) => queue.push({ purpose, go }));
    }
    try {
      return await work();
    } finally {
      runningCounts[purpose] -= 1;
      startNext();
    }
  };
}
