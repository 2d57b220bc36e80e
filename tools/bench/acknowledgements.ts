/**
 * The cost of acknowledgements: orders per second of this checkout against those of another one
 * without it, in alternating pairs on the same machine in the same run; and processor time per
 * order, which other programs on the machine do not disturb: `node tools/bench/acknowledgements.ts
 * <folder of the other checkout> [seconds] [pairs]`.
 */
import { resolve } from "node:path";
import { signInAll } from "../lib/people.ts";
import { createDataDirectory, printConditions, printRatio, startServer } from "./lib/conditions.ts";
import { placeOrders, readMarkets } from "./lib/placeOrders.ts";
import { readProcessorTimeMs } from "./lib/processorTime.ts";

const [otherCheckout, secondsText, pairsText] = process.argv.slice(2);
if (otherCheckout === undefined) throw new Error("name the folder of a checkout to compare with");
const seconds = Number(secondsText ?? 8);
const pairs = Number(pairsText ?? 6);
const clients = 64;
const users = 120;
const aim = 0.95;

printConditions(
  `${clients} clients in two processes, ${users} signed-in users, stake 10 on 300 s, ${pairs} pairs of ${seconds} s, each pair in the other order than the one before`,
);
const stage = async (checkout?: string) => {
  const data = createDataDirectory();
  const server = await startServer(data.directory, {}, checkout);
  const people = await signInAll(server.port, users);
  const tokens = people.map(({ token }) => token);
  const markets = await readMarkets(server.port);
  const load = async (seconds: number) => {
    const beforeMs = readProcessorTimeMs(server.pid);
    const { acceptedCount, refusalCounts } = await placeOrders({
      port: server.port,
      tokens,
      markets,
      clients,
      seconds,
    });
    if (Object.keys(refusalCounts).length > 0)
      console.log(`refused: ${JSON.stringify(refusalCounts)}`);
    const spentMs = readProcessorTimeMs(server.pid) - beforeMs;
    return { rate: acceptedCount / seconds, perOrderMs: spentMs / acceptedCount };
  };
  const stop = async () => {
    await server.stop();
    data.remove();
  };
  return { load, stop };
};
const withoutAcknowledgements = await stage(resolve(otherCheckout));
const withAcknowledgements = await stage();
try {
  await withoutAcknowledgements.load(3);
  await withAcknowledgements.load(3);
  const ratios: number[] = [];
  const costs: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const order =
      pair % 2 === 0
        ? [withoutAcknowledgements, withAcknowledgements]
        : [withAcknowledgements, withoutAcknowledgements];
    const rates = new Map<object, Awaited<ReturnType<typeof withoutAcknowledgements.load>>>();
    for (const variant of order) rates.set(variant, await variant.load(seconds));
    const [before, after] = [rates.get(withoutAcknowledgements)!, rates.get(withAcknowledgements)!];
    ratios.push(after.rate / before.rate);
    costs.push(after.perOrderMs / before.perOrderMs);
    console.log(
      `${before.rate.toFixed(0)} orders/s without (${before.perOrderMs.toFixed(3)} ms each), ${after.rate.toFixed(0)} acknowledged (${after.perOrderMs.toFixed(3)} ms each)`,
    );
  }
  const format = (all: number[]) => all.toSorted((a, b) => a - b).map((ms) => ms.toFixed(3));
  console.log(`orders per second, ratios: ${format(ratios).join(" ")}`);
  console.log(`processor time per order, ratios: ${format(costs).join(" ")}`);
  console.log(`processor time per order, median of the ratios: ${median(costs).toFixed(3)}`);
  printRatio(median(ratios), aim, "least");
} finally {
  await withoutAcknowledgements.stop();
  await withAcknowledgements.stop();
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}
