import { setTimeout as sleep } from "node:timers/promises";
import { type ErrorName, errors } from "#api/errors.ts";
import { scaleOf } from "#core/money/coins.ts";
import { minorOf } from "#core/money/decimal.ts";
import {
  ApiError,
  type Client,
  NoAnswerError,
  newKey,
  type SignedIn,
} from "#server/testing/client.ts";
import type { Acknowledged, OutsideRecord } from "./record.ts";

export interface Person extends SignedIn {
  /** Orders left on the one-minute tier, which is limited to five a day. */
  shortLeft: number;
  /** Real time until which this person places no orders: all their money is in open ones. */
  restsUntilMs: number;
}

export interface Market {
  contractId: string;
  termsHash: string;
}

interface Placed {
  order_id: string;
  order_hash: string;
  accepted_at_ms: number;
  stake: string;
  fee: string;
}

/** Real milliseconds before an unanswered request is retried. */
const againMs = 60;

/**
 * Places orders from many clients at once, each with its own key, and retries with the same key
 * until answered.
 */
export class Load {
  readonly #client: Client;
  readonly #people: Person[];
  readonly #markets: Market[];
  readonly #record: OutsideRecord;
  readonly #chance: () => number;
  #stopping = false;
  #next = 0;
  #clients: Promise<void>[] = [];
  #sample: PendingOrder[] = [];
  #waiters: { sinceMs: number; resolve: () => void }[] = [];
  /** Keys whose last request got no answer. */
  readonly open = new Map<string, { userId: string }>();
  /** Requests that got no answer, and keys that got two different answers. */
  unanswered = 0;
  contradicted: string[] = [];
  askedAgain = 0;
  readonly refusals = new Map<string, number>();

  constructor(
    client: Client,
    people: Person[],
    markets: Market[],
    record: OutsideRecord,
    chance: () => number,
  ) {
    this.#client = client;
    this.#people = people;
    this.#markets = markets;
    this.#record = record;
    this.#chance = chance;
  }

  start(clients: number): void {
    this.#clients = Array.from({ length: clients }, () => this.#run());
  }

  /** Resolves once an order sent from now on is acknowledged. */
  nextAcknowledged(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push({ sinceMs: Date.now(), resolve }));
  }

  #tell(sentAtMs: number): void {
    const answered = this.#waiters.filter(({ sinceMs }) => sinceMs <= sentAtMs);
    this.#waiters = this.#waiters.filter(({ sinceMs }) => sinceMs > sentAtMs);
    for (const { resolve } of answered) resolve();
  }

  /** Places no new orders; resolves once all pending ones are answered, or after `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.#stopping = true;
    await Promise.race([Promise.all(this.#clients), sleep(withinMs, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const person = this.#people[this.#next++ % this.#people.length]!;
      if (person.restsUntilMs > Date.now()) {
        await sleep(1);
        continue;
      }
      const old = this.#sample[Math.floor(this.#chance() * this.#sample.length)];
      if (old && this.#chance() < 0.03) await this.#askPending(old);
      else await this.#place(person);
    }
  }

  async #place(person: Person): Promise<void> {
    const order = this.#newOrder(person);
    this.open.set(order.key, { userId: person.userId });
    // Sometimes sends the same key twice at once, like an impatient client.
    const twice = this.#chance() < 0.03 ? this.#ask(person, order) : null;
    const [one, two] = await Promise.all([this.#ask(person, order), twice]);
    this.open.delete(order.key);
    if (!one) return;
    if (two) this.#compare(order.key, one.placed, two.placed);
    const { placed } = one;
    await this.#record.add(acknowledged(person, order.key, placed, one.resentAtMs));
    this.#tell(one.sentAtMs);
    if (this.#chance() < 0.02) this.#sample.push({ person, order, answer: placed });
  }

  /**
   * Retries an order acknowledged long ago, perhaps before a kill: the same key must get the same
   * answer.
   */
  async #askPending({ person, order, answer }: PendingOrder): Promise<void> {
    const again = await this.#ask(person, order);
    this.askedAgain += 1;
    if (again) this.#compare(order.key, answer, again.placed);
    else this.contradicted.push(order.key);
  }

  #compare(key: string, one: Placed, two: Placed): void {
    if (one.order_id !== two.order_id || one.order_hash !== two.order_hash)
      this.contradicted.push(key);
  }

  #newOrder(person: Person): Order {
    const { contractId, termsHash } =
      this.#markets[Math.floor(this.#chance() * this.#markets.length)]!;
    const short = person.shortLeft > 0 && this.#chance() < 0.02;
    if (short) person.shortLeft -= 1;
    const input = {
      contract_id: contractId,
      direction: this.#chance() < 0.5 ? "up" : "down",
      stake: "10",
      tier: short ? 60 : 300,
      terms_hash: termsHash,
    };
    return { key: newKey(), input };
  }

  /** The answer to an order, retried as often as needed; null if it was refused. */
  async #ask(
    person: Person,
    order: Order,
  ): Promise<{ placed: Placed; sentAtMs: number; resentAtMs: number | null } | null> {
    let resentAtMs: number | null = null;
    for (;;) {
      const sentAtMs = Date.now();
      try {
        const path = "/api/contract/contractPlaceOrder";
        const { token } = person;
        const placed = await this.#client.call<Placed>({
          method: "POST",
          path,
          token,
          ...order,
        });
        return { placed, sentAtMs, resentAtMs };
      } catch (error) {
        if (error instanceof NoAnswerError) this.unanswered += 1;
        else if (!(error instanceof ApiError)) throw error;
        else if (this.#isFinal(person, error.error)) return null;
        await sleep(againMs * (0.5 + Math.random()));
        resentAtMs = Date.now();
      }
    }
  }

  #isFinal(person: Person, name: string): boolean {
    this.refusals.set(name, (this.refusals.get(name) ?? 0) + 1);
    if (errors[name as ErrorName]?.retry) return false;
    if (name === "ledger.overdraft") person.restsUntilMs = Date.now() + 5_000;
    return true;
  }
}

interface Order {
  key: string;
  input: Record<string, string | number>;
}

/** An acknowledged order whose key may be retried at any time. */
interface PendingOrder {
  person: Person;
  order: Order;
  answer: Placed;
}

function acknowledged(
  person: Person,
  key: string,
  placed: Placed,
  resentAtMs: number | null,
): Acknowledged {
  const minor = (text: string) => minorOf(text, scaleOf("pUSDT"));
  return {
    key,
    userId: person.userId,
    orderId: placed.order_id,
    orderHash: placed.order_hash,
    acceptedAtMs: placed.accepted_at_ms,
    charged: String(minor(placed.stake) + minor(placed.fee)),
    resentAtMs,
  };
}
