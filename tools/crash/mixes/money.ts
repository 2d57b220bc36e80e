import { randomBytes } from "node:crypto";
import { encodeAddress } from "#core/addresses/address.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { specimen } from "#server/recharge/testing.ts";
import type { TestSession } from "#server/testing/client.ts";
import { type Answer, type Change, findChange, type Mix, type RetryingCall } from "../change.ts";

/** A person's state that a later call of theirs can act upon. */
interface Holder extends TestSession {
  address: string;
  withdrawals: string[];
  /** Pools subscribed to, with the real time of the subscription. */
  pools: { productId: string; atMs: number }[];
  leases: string[];
  startedOver: boolean;
  restsUntilMs: number;
}

interface Products {
  pools: { product_id: string; terms_hash: string; minimum: string; state: string }[];
  machines: { product_id: string; terms_hash: string; stock_left: number }[];
}

/** How often each call is made, as shares of all. */
const shares: readonly [kind: keyof Makers, share: number][] = [
  ["withdraw", 0.3],
  ["cancel", 0.16],
  ["send", 0.18],
  ["exchange", 0.14],
  ["subscribe", 0.06],
  ["redeem", 0.05],
  ["lease", 0.05],
  ["endLease", 0.03],
  ["recharge", 0.015],
  ["startOver", 0.015],
];

type Make = (holder: Holder) => Promise<Change | null>;
interface Makers {
  withdraw: Make;
  cancel: Make;
  send: Make;
  exchange: Make;
  subscribe: Make;
  redeem: Make;
  lease: Make;
  endLease: Make;
  recharge: Make;
  startOver: Make;
}

/** Every call that moves money except contract orders, by people without other holdings. */
export async function createMoney(
  people: readonly TestSession[],
  ask: RetryingCall,
  random: () => number,
): Promise<Mix> {
  const holders: Holder[] = [];
  for (const person of people) {
    const { address } = await ask<{ address: string }>({
      method: "GET",
      path: "/api/user/getReceiveAddress",
      input: { coin: "pUSDT" },
      token: person.token,
    });
    const nothing = { withdrawals: [], pools: [], leases: [], startedOver: false, restsUntilMs: 0 };
    holders.push({ ...person, address, ...nothing });
  }
  const makers = createMakers(holders, ask, random);
  let next = 0;
  return {
    name: "money",
    createNext: async () => {
      const holder = holders[next++ % holders.length]!;
      if (holder.restsUntilMs > Date.now()) return null;
      let drawnWeight = random();
      for (const [kind, share] of shares) {
        drawnWeight -= share;
        if (drawnWeight < 0) return makers[kind](holder);
      }
      return makers.withdraw(holder);
    },
  };
}

function createMakers(holders: readonly Holder[], ask: RetryingCall, random: () => number): Makers {
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const amount = () => String(20 + Math.floor(random() * 10));
  const products = createProducts(ask);
  const onRefused = (holder: Holder) => (name: string) => {
    if (name === "ledger.overdraft") holder.restsUntilMs = Date.now() + 2_000;
    if (name.endsWith(".terms_changed")) products.forget();
  };
  return {
    withdraw: async (holder) =>
      findChange(
        "withdraw",
        holder,
        "/api/user/withdraw",
        {
          coin: "pUSDT",
          amount: amount(),
          address: encodeAddress("peth", randomBytes(20)),
        },
        {
          lastingFields: ["withdrawal_id", "amount", "fee", "address", "placed_at_ms"],
          balanceChanges: (answer) => minus("pUSDT", answer.amount),
          onAnswer: ({ withdrawal_id: id }) => holder.withdrawals.push(String(id)),
          onRefusal: onRefused(holder),
        },
      ),
    cancel: async (holder) => {
      const withdrawal_id = holder.withdrawals.shift();
      if (!withdrawal_id) return null;
      return findChange(
        "cancel",
        holder,
        "/api/user/cancelWithdraw",
        { withdrawal_id },
        {
          lastingFields: ["withdrawal_id", "amount", "outcome", "ended_at_ms", "ended_journal_id"],
          // A withdrawal that starting over cancelled first is answered unchanged, and posts
          // nothing more.
          balanceChanges: (answer) =>
            answer.ended_by === "person" ? plus("pUSDT", answer.amount) : null,
        },
      );
    },
    send: async (holder) => {
      const otherHolder = oneOf(holders)!;
      if (otherHolder === holder) return null;
      const input = { coin: "pUSDT", amount: amount(), address: otherHolder.address };
      return findChange("send", holder, "/api/user/send", input, {
        balanceChanges: (answer) => minus("pUSDT", answer.amount),
        onRefusal: onRefused(holder),
      });
    },
    exchange: async (holder) => {
      const { quote_id } = await ask<{ quote_id: string }>({
        method: "POST",
        path: "/api/user/quoteExchange",
        input: { from: "pUSDT", to: random() < 0.5 ? "pBTC" : "pETH", amount: amount() },
        token: holder.token,
      });
      return findChange(
        "exchange",
        holder,
        "/api/user/exchangeCoin",
        { quote_id },
        {
          balanceChanges: (answer) => ({
            ...minus(String(answer.from), answer.given),
            ...plus(String(answer.to), answer.received),
          }),
          onRefusal: onRefused(holder),
        },
      );
    },
    subscribe: async (holder) => {
      const pool = oneOf((await products.get()).pools.filter(({ state }) => state === "open"));
      if (!pool) return null;
      const { product_id, terms_hash, minimum } = pool;
      return findChange(
        "subscribe",
        holder,
        "/api/pledge/trusteeshipProduct",
        { product_id, amount: minimum, terms_hash },
        {
          balanceChanges: (answer) => minus("pUSDT", answer.amount),
          onAnswer: () => holder.pools.push({ productId: product_id, atMs: Date.now() }),
          onRefusal: onRefused(holder),
        },
      );
    },
    redeem: async (holder) => {
      const holding = holder.pools[0];
      if (!holding || Date.now() - holding.atMs < 10_000) return null;
      holder.pools.shift();
      const input = { product_id: holding.productId, units: "all" };
      return findChange("redeem", holder, "/api/pledge/redeem", input, {
        balanceChanges: () => ({}),
      });
    },
    lease: async (holder) => {
      const machine = oneOf(
        (await products.get()).machines.filter((machine) => machine.stock_left > 0),
      );
      if (!machine) return null;
      const { product_id, terms_hash } = machine;
      const input = { product_id, quantity: 1, days: 3, terms_hash };
      return findChange("lease", holder, "/api/machine/leaseProduct", input, {
        balanceChanges: ({ price, power }) => ({
          pUSDT: String(-minor("pUSDT", price) - minor("pUSDT", power)),
        }),
        onAnswer: ({ lease_id: id }) => holder.leases.push(String(id)),
        onRefusal: (name) => {
          onRefused(holder)(name);
          if (name === "mining.sold_out") products.forget();
        },
      });
    },
    endLease: async (holder) => {
      const lease_id = holder.leases.shift();
      if (!lease_id) return null;
      const { end_now } = await ask<{ end_now: { unused_days: number } | null }>({
        method: "GET",
        path: "/api/machine/findLease",
        input: { lease_id },
        token: holder.token,
      });
      if (!end_now) return null;
      const input = { lease_id, unused_days: end_now.unused_days };
      return findChange("endLease", holder, "/api/machine/endLease", input, {
        balanceChanges: ({ price, power }) => ({
          pUSDT: String(minor("pUSDT", price) + minor("pUSDT", power)),
        }),
      });
    },
    recharge: async (holder) => {
      const voucher = { coin: "pUSDT", network: "peth", amount: "100" };
      const { qr_text } = await ask<{ qr_text: string }>({
        method: "POST",
        path: "/api/user/drawVoucher",
        input: { ...voucher, kind: "good" },
        token: holder.token,
      });
      const bytes = await specimen(qr_text);
      return findChange("recharge", holder, "/api/user/recharge", voucher, {
        attachment: { field: "image", name: "voucher.png", type: "image/png", bytes },
        lastingFields: ["recharge_id", "coin", "network", "amount", "accepted_at_ms", "due_at_ms"],
      });
    },
    startOver: async (holder) => {
      if (holder.startedOver) return null;
      const { items } = await ask<{ items: { attempt_id: string }[] }>({
        method: "GET",
        path: "/api/user/getAttempts",
        token: holder.token,
      });
      holder.startedOver = true;
      const input = { attempt_id: items[0]!.attempt_id };
      return findChange("startOver", holder, "/api/user/startOver", input, {
        balanceChanges: () => plus("pUSDT", "10000"),
        onAnswer: () => Object.assign(holder, { withdrawals: [], pools: [], leases: [] }),
      });
    },
  };
}

/** Pools and machines as offered, read again when their terms have changed. */
function createProducts(ask: RetryingCall) {
  let loading: Promise<Products> | null = null;
  const load = async (): Promise<Products> => {
    const [pools, machines] = await Promise.all([
      ask<{ items: Products["pools"] }>({ method: "GET", path: "/api/pledge/getProductList" }),
      ask<{ items: Products["machines"] }>({ method: "GET", path: "/api/machine/getProductList" }),
    ]);
    return { pools: pools.items, machines: machines.items };
  };
  const forget = () => {
    loading = null;
  };
  return {
    forget,
    get: () => {
      loading ??= load().catch((error: unknown) => {
        forget();
        throw error;
      });
      return loading;
    },
  };
}

function minor(coin: string, text: unknown): bigint {
  return toMinorUnits(String(text), coinScale(coin as Coin));
}

function plus(coin: string, text: Answer[string]): Record<string, string> {
  return { [coin]: String(minor(coin, text)) };
}

function minus(coin: string, text: Answer[string]): Record<string, string> {
  return { [coin]: String(-minor(coin, text)) };
}
