import type { AccountKind } from "#core/ledger/chart.ts";
import type { PostOutcome } from "#core/ledger/outcomes.ts";
import type { Coin } from "#core/money/coins.ts";
import type { ApiError } from "#server/platform/apiError.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * One leg of a journal: a signed `amount` in minor units of the account's coin; positive adds to
 * the account.
 */
export interface Leg {
  account: bigint;
  amount: bigint;
  /**
   * The subject of this leg alone, when the journal has many subjects (a settlement's orders);
   * shown in transfer records.
   */
  about?: string;
}

/**
 * A change of a limit row, applied with the journal or not at all. A positive `delta` that would
 * take the row past `cap` is refused (`limit_full`); a negative one always passes. Rows start at
 * zero.
 */
export interface LimitDelta {
  key: string;
  delta: bigint;
  cap: bigint;
}

export interface Journal {
  /** UUID chosen by the caller: the same id is the same posting forever. */
  id: string;
  /** Dotted name of the event, such as `contract.open`; at most 64 characters. */
  kind: string;
  /** SHA-256 (32 bytes) of the request; the same id with another hash is refused. */
  bodyHash: Uint8Array;
  /** Two or more, summing to zero in each coin. */
  legs: Leg[];
  limits?: LimitDelta[];
  /** `place`: this journal's id names the new hold. `of`: the id of the journal that placed it. */
  hold?: { action: "place" } | { action: "post" | "void"; of: string };
  /** The id of the order, or the like, that this is about. */
  about?: string;
}

export interface PostResult {
  id: string;
  outcome: PostOutcome;
  /** World time of the posting; for a `duplicate`, the time of the first one. */
  atMs: number;
  /** Size of the log's newest signed tree at the attempt to post; for `posted`, the stored size. */
  treeSize: number;
  /** The limit that was full. */
  limitKey?: string;
}

export interface PostedJournal {
  journal: Journal;
  row: unknown;
  atMs: number;
}

/**
 * Writes a domain's own rows for all journals of its kind in a batch, in the same transaction, with
 * one set-based statement.
 */
export type PostHook = (tx: Tx, posted: PostedJournal[]) => Promise<void>;

/**
 * A domain's own statement for posting journals of its kind: it takes the accept lock, posts, and
 * writes the domain's rows. It may decline (null) as long as nothing was posted; the batch then
 * takes the fallback path, with the post hook.
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

/** State of an idempotency key: posted, finally refused, or null when not used yet. */
export type KeyState =
  | { state: "posted"; bodyHash: Uint8Array }
  | { state: "refused"; bodyHash: Uint8Array; apiError: ApiError }
  | null;

/** When a journal was posted, and the log's newest signed tree then. */
export interface PostedAt {
  atMs: number;
  treeSize: number;
}

export interface Keys {
  find(id: string): Promise<KeyState>;
  /** Null when no journal of this id is posted. */
  postedAt(id: string): Promise<PostedAt | null>;
  /** Stores a final error as the answer of its key. False if the key was posted in the meantime. */
  remember(id: string, bodyHash: Uint8Array, apiError: ApiError): Promise<boolean>;
}

export interface Ledger {
  /**
   * Posts with the next batch (group commit) and resolves once it is durable. `row` goes to the
   * post hook of the journal's kind. Rejects with the ApiError `server.unavailable` when too many
   * postings are waiting; nothing is posted then.
   */
  post(journal: Journal, row?: unknown): Promise<PostResult>;
  /**
   * Runs `work` in one transaction under the accept lock, and retries on conflicts and lost
   * connections: `work` posts journals with fixed ids by `postIn`, so that a retry finds what was
   * already posted. Publishes `balance.changed` after the commit. Throws the ApiError
   * `server.unavailable` when retries are exhausted.
   */
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Posts in the caller's transaction, in order, at the caller's world time, without post hooks. In
   * a transaction of `transact`, `balance.changed` is published; in any other the caller must call
   * `notifyPosted` after the commit.
   */
  postIn(tx: Tx, journals: Journal[], atMs: number): Promise<PostResult[]>;
  /**
   * Publishes `balance.changed` for these users, each once. Called after the commit of postings made
   * by a domain's SQL function, or by `postIn` in a transaction of the domain's own.
   */
  notifyPosted(userIds: Iterable<string>): void;
  /** Registers the post hook of a journal kind, and its bulk path if it has one; once per kind. */
  onPosted(kind: string, hook: PostHook, bulk?: BulkPath): void;
  /**
   * The id of an account, opened on first use. Inside a transaction, that transaction must be
   * passed as `tx`.
   */
  account(owner: AccountOwner, kind: AccountKind, coin: Coin, tx?: Tx): Promise<bigint>;
  /** Balances of an attempt in minor units, for every coin in registry order. */
  balances(attemptId: string): Promise<CoinBalance[]>;
  /** State of idempotency keys. */
  readonly keys: Keys;
  /** The name under which a person's quotas are counted (`quotaKey`). */
  quotaId(userId: string): Promise<string>;
  /** The world's name, part of every body hash. */
  readonly world: string;
  /** Rejects new postings, and resolves when all pending ones are done. */
  stop(): Promise<void>;
}
