import type { AccountKind } from "#core/ledger/chart.ts";
import type { PostOutcome } from "#core/ledger/outcomes.ts";
import type { Coin } from "#core/money/coins.ts";
import type { ApiError } from "#server/platform/apiError.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * One side of a journal: `amount` in minor units of the account's coin, signed; + adds to the
 * account.
 */
export interface Leg {
  account: bigint;
  amount: bigint;
  /**
   * What this leg alone is about, where the journal is about many (a settlement's orders); shown in
   * transfer records.
   */
  about?: string;
}

/**
 * A change of a limit row, made with the journal or not at all. A positive `delta` that would take
 * the row past `cap` is refused (`limit_full`); a negative one always passes. Rows come into being
 * at zero.
 */
export interface LimitDelta {
  key: string;
  delta: bigint;
  cap: bigint;
}

export interface Journal {
  /** UUID, made by whoever wants the posting: the same id is the same posting for ever. */
  id: string;
  /** Dotted name of what happened, such as `contract.open`; at most 64 characters. */
  kind: string;
  /** SHA-256 (32 bytes) of what was asked for; the same id with another hash is refused. */
  bodyHash: Uint8Array;
  /** Two or more; they sum to zero in each coin. */
  legs: Leg[];
  limits?: LimitDelta[];
  /** `place`: this journal's id names the new hold. `of`: the id of the journal that placed it. */
  hold?: { action: "place" } | { action: "post" | "void"; of: string };
  /** The order (or the like) this is about. */
  about?: string;
}

export interface PostResult {
  id: string;
  outcome: PostOutcome;
  /** World time of the posting; of the first one for a `duplicate`. */
  atMs: number;
  /** Which limit was full. */
  limitKey?: string;
}

export interface Posted {
  journal: Journal;
  row: unknown;
  atMs: number;
}

/**
 * Writes a domain's own rows for all journals of its kind in a batch, in the same transaction. One
 * statement, set-based.
 */
export type PostHook = (tx: Tx, posted: Posted[]) => Promise<void>;

/**
 * A domain's own way to post journals of its kind: one statement that takes the accept lock, posts
 * and writes the domain's rows. It may decline (null) as long as nothing was posted; then the batch
 * goes to the fallback path, with the hook.
 */
export interface BulkPath {
  accepts(row: unknown): boolean;
  post(batch: readonly { journal: Journal; row: unknown }[]): Promise<PostResult[] | null>;
}

export type AccountOwner = { userId: string; attemptId: string } | "house";

export interface CoinBalance {
  coin: Coin;
  available: bigint;
  held: bigint;
}

/** What became of an idempotency key: posted, refused for good, or (null) not used yet. */
export type KeyState =
  | { state: "posted"; bodyHash: Uint8Array }
  | { state: "refused"; bodyHash: Uint8Array; apiError: ApiError }
  | null;

export interface Keys {
  find(id: string): Promise<KeyState>;
  /** Keeps a final refusal as the answer of its key. False when the key was posted meanwhile. */
  remember(id: string, bodyHash: Uint8Array, apiError: ApiError): Promise<boolean>;
}

export interface Ledger {
  /**
   * Posts with the next batch (group commit) and resolves once it is durable. `row` goes to the
   * hook of the journal's kind. Rejects with the Refusal `server.unavailable` when too many
   * postings wait; nothing was posted then.
   */
  post(journal: Journal, row?: unknown): Promise<PostResult>;
  /**
   * Runs `work` in one transaction under the accept lock, again when others were in its way or the
   * connection was lost: `work` posts journals with fixed ids by `postIn`, so that asking again is
   * finding what stands. Publishes `balance.changed` after the commit. Throws the Refusal
   * `server.unavailable` when it stays so.
   */
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Posts in the caller's transaction, in order, at the caller's world time. Hooks do not run.
   * `balance.changed` is published when the transaction is one of `transact`; in any other the
   * caller calls `notifyPosted`, after its commit.
   */
  postIn(tx: Tx, journals: Journal[], atMs: number): Promise<PostResult[]>;
  /**
   * Publishes `balance.changed` for these users, each once: after the commit of postings that a
   * domain's SQL function made, or `postIn` in a transaction of the domain's own.
   */
  notifyPosted(userIds: Iterable<string>): void;
  /** Registers the hook of a kind of journal, and its own statement if it has one; once each. */
  onPosted(kind: string, hook: PostHook, bulk?: BulkPath): void;
  /**
   * The id of an account, opened on first use. Inside a transaction that must be the caller's own,
   * `tx`.
   */
  account(owner: AccountOwner, kind: AccountKind, coin: Coin, tx?: Tx): Promise<bigint>;
  /** Balances of an attempt in minor units, every coin in the order of the registry. */
  balances(attemptId: string): Promise<CoinBalance[]>;
  /** What became of idempotency keys. */
  readonly keys: Keys;
  /** The world's name, part of every body hash. */
  readonly world: string;
  /** Resolves when all postings that were asked for are done; refuses new ones from then on. */
  stop(): Promise<void>;
}
