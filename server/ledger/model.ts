import type { PostOutcome } from "#core/ledger/outcomes.ts";
import type { Journal, Leg } from "#server/ledger/types.ts";

/**
 * The ledger in its simplest form, one journal after another in memory, against which tests compare
 * `post_journals`. Shares no code with it.
 */
export class Model {
  readonly #balances = new Map<bigint, bigint>();
  readonly #held: Set<bigint>;
  readonly #house: Set<bigint>;
  readonly #posted = new Map<string, Journal>();
  readonly #refused = new Map<string, { journal: Journal; outcome: PostOutcome }>();
  readonly #holds = new Map<string, "pending" | "closed">();
  readonly #limits = new Map<string, bigint>();

  constructor(accounts: { users: bigint[]; held: bigint[]; house: bigint[] }) {
    for (const id of [...accounts.users, ...accounts.held, ...accounts.house])
      this.#balances.set(id, 0n);
    this.#held = new Set(accounts.held);
    this.#house = new Set(accounts.house);
  }

  balance(account: bigint): bigint {
    return this.#balances.get(account) ?? 0n;
  }

  post(journal: Journal): PostOutcome {
    const used = this.#posted.get(journal.id);
    if (used) return sameBody(used, journal) ? "duplicate" : "body_changed";
    const refusal = this.#refused.get(journal.id);
    if (refusal) return sameBody(refusal.journal, journal) ? refusal.outcome : "body_changed";
    const outcome = this.#wrong(journal);
    if (outcome === null) {
      this.#apply(journal);
      return "posted";
    }
    if (outcome === "overdraft" || outcome.startsWith("hold_")) {
      this.#refused.set(journal.id, { journal, outcome });
    }
    return outcome;
  }

  #wrong({ legs, hold, limits }: Journal): PostOutcome | null {
    if (legs.some(({ account }) => !this.#balances.has(account))) return "account_unknown";
    if (legs.some(({ amount }) => amount === 0n)) return "amount_invalid";
    if (legs.length < 2 || legs.reduce((sum, { amount }) => sum + amount, 0n) !== 0n)
      return "unbalanced";
    if (hold && hold.action !== "place") {
      const state = this.#holds.get(hold.of);
      if (!state) return "hold_unknown";
      if (state !== "pending") return "hold_not_pending";
    }
    if (this.#misfits(legs, hold)) return "hold_mismatch";
    if (this.#overdraws(legs)) return "overdraft";
    const used = new Map(this.#limits);
    for (const { key, delta, cap } of limits ?? []) {
      const after = (used.get(key) ?? 0n) + delta;
      if (delta > 0n && after > cap) return "limit_full";
      used.set(key, after);
    }
    return null;
  }

  #misfits(legs: Leg[], hold: Journal["hold"]): boolean {
    const heldLegs = legs.filter(({ account }) => this.#held.has(account));
    if (!hold) return heldLegs.length > 0;
    if (hold.action === "place")
      return heldLegs.length === 0 || heldLegs.some(({ amount }) => amount < 0n);
    if (heldLegs.some(({ amount }) => amount > 0n)) return true;
    const placedLegs = this.#posted.get(hold.of)!.legs;
    const counts = ({ account }: Leg) => hold.action === "void" || this.#held.has(account);
    const sums = new Map<bigint, bigint>();
    for (const leg of [...placedLegs, ...legs].filter(counts)) {
      sums.set(leg.account, (sums.get(leg.account) ?? 0n) + leg.amount);
    }
    return sums.values().some((sum) => sum !== 0n);
  }

  #overdraws(legs: Leg[]): boolean {
    const after = new Map(this.#balances);
    for (const { account, amount } of legs) {
      after.set(account, after.get(account)! + amount);
      if (!this.#house.has(account) && after.get(account)! < 0n) return true;
    }
    return false;
  }

  #apply(journal: Journal): void {
    this.#posted.set(journal.id, journal);
    for (const { account, amount } of journal.legs) {
      this.#balances.set(account, this.#balances.get(account)! + amount);
    }
    for (const { key, delta } of journal.limits ?? []) {
      this.#limits.set(key, (this.#limits.get(key) ?? 0n) + delta);
    }
    if (journal.hold?.action === "place") this.#holds.set(journal.id, "pending");
    else if (journal.hold) this.#holds.set(journal.hold.of, "closed");
  }
}

function sameBody(a: Journal, b: Journal): boolean {
  return Buffer.from(a.bodyHash).equals(Buffer.from(b.bodyHash));
}
