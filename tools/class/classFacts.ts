import { setTimeout as sleep } from "node:timers/promises";
import type { Order } from "#api/contracts.ts";
import { computeBreakEvenOfSums } from "#core/contracts/breakEven.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { type Client, createClient, newKey, signIn } from "#server/testing/client.ts";
import { createTeacher, type Teacher } from "./teacher.ts";

/** A separate server, and its output. */
interface RunningServer {
  url: string;
  readOutput: () => string;
}

/** A class with codes, created over HTTP: the starting point for tests of other screens. */
export interface ClassFacts {
  teacher: Teacher;
  classId: string;
  /** Unused codes of twelve letters each. */
  codes: string[];
  client: Client;
}

/** Makes the first operator of an instance the teacher of a class with `count` codes. */
export async function createClass(server: RunningServer, count: number): Promise<ClassFacts> {
  const port = Number(new URL(server.url).port);
  const client = createClient({ port });
  const teacher = await createTeacher(client, port, server.readOutput);
  const { link } = await teacher.change<{ link: { class_id: string } }>(
    "/api/operator/class/makeLink",
    { label: "Class 7b", limit: 30, expires_at_ms: Date.now() + 86_400_000 },
  );
  const classId = link.class_id;
  await teacher.change("/api/operator/class/makeCodes", { class_id: classId, count });
  const { codes } = await teacher.read<{ codes: { code: string }[] }>(
    "/api/operator/class/getCodes",
    { class_id: classId },
  );
  return { teacher, classId, codes: codes.map(({ code }) => code), client };
}

/** A pupil with the session of a new account that joined by a code. */
export interface PupilFacts {
  token: string;
  orders(): Promise<Order[]>;
  /** Places an order and says how sure they are, in percent. */
  order(direction: "up" | "down", confidence: number): Promise<void>;
  /** Lets the class count how sure they were. */
  agreeToBeCounted(): Promise<void>;
}

export async function joinByCode({ client }: ClassFacts, code: string): Promise<PupilFacts> {
  const { token } = await signIn(client, undefined, code);
  const readData = <Data>(path: string, input: Record<string, string> = {}) =>
    client.call<Data>({ method: "GET", path, input, token });
  const send = <Data>(path: string, input: Record<string, unknown>) =>
    client.call<Data>({ method: "POST", path, input, token, key: newKey() });
  return {
    token,
    orders: async () =>
      (await readData<{ items: Order[] }>("/api/contract/getOrderList", { page_size: "100" }))
        .items,
    order: async (direction, confidence) => {
      const { items } = await readData<{ items: { contract_id: string }[] }>(
        "/api/contract/getContractList",
      );
      const contractId = items[0]!.contract_id;
      const { terms } = await readData<{ terms: { terms_hash: string } }>(
        "/api/contract/getContractDetails",
        { contract_id: contractId },
      );
      const { order_id: orderId } = await send<{ order_id: string }>(
        "/api/contract/contractPlaceOrder",
        {
          contract_id: contractId,
          terms_hash: terms.terms_hash,
          tier: 60,
          direction,
          stake: "20",
        },
      );
      await send("/api/belief/stateBelief", { kind: "order", order_id: orderId, confidence });
    },
    agreeToBeCounted: async () => {
      await send("/api/belief/setClassConsent", { agreed: true });
    },
  };
}

/** Every order of these pupils, once all are over; throws after a minute. */
export async function countSettledOrders(pupils: readonly PupilFacts[]): Promise<Order[]> {
  for (let tries = 0; tries < 120; tries += 1) {
    const orders = (await Promise.all(pupils.map((pupil) => pupil.orders()))).flat();
    if (orders.every(({ status }) => status === "over")) return orders;
    await sleep(500);
  }
  throw new Error("Orders were still open after a minute.");
}

/** The number of won and lost orders among these, the share won, and the break-even share. */
export function countOrders(orders: readonly Order[]) {
  const decidedOrders = orders.filter(({ outcome }) => outcome === "won" || outcome === "lost");
  const wonCount = decidedOrders.filter(({ outcome }) => outcome === "won").length;
  const minor = (amount: string) => toMinorUnits(amount, coinScale("pUSDT"));
  const sum = (pick: (order: Order) => bigint) =>
    decidedOrders.reduce((total, order) => total + pick(order), 0n);
  const breakEven = computeBreakEvenOfSums({
    stake: sum(({ stake }) => minor(stake)),
    fee: sum(({ fee }) => minor(fee)),
    // A win adds this to the stake; summed over lost orders too.
    profit: sum(({ stake, rate_bp: rate }) => (minor(stake) * BigInt(rate)) / 10_000n),
  });
  return {
    decided: decidedOrders.length,
    rightPercent: Math.round((wonCount * 100) / decidedOrders.length),
    evenPercent: Math.ceil((breakEven ?? 0) / 100),
  };
}
