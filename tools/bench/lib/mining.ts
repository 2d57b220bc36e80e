import { createHash, randomBytes } from "node:crypto";
import { createLedger } from "#server/ledger/ledger.ts";
import { createFeed } from "#server/market/feed.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { createMining } from "#server/mining/mining.ts";
import type { NetworkSource } from "#server/mining/source.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { type BenchWorld, openBenchWorld } from "./world.ts";

/** BTC/USDT during a bench: 64 000.00. */
const btcPrice = 6_400_000n;

export interface MiningBench extends BenchWorld {
  transparencyLog: ReturnType<typeof createTransparencyLog>;
  ledger: ReturnType<typeof createLedger>;
  mining: ReturnType<typeof createMining>;
  /** Creates people with this many whole pUSDT each. */
  openPeople: (count: number, units: number) => Promise<{ userId: string; attemptId: string }[]>;
}

/**
 * Mining in a separate world whose clock the bench moves. No second is closed; the BTC price is
 * constant.
 */
export async function openMiningBench(source?: NetworkSource): Promise<MiningBench> {
  const bench = await openBenchWorld();
  const { ctx } = bench;
  const ledger = createLedger(ctx);
  const transparencyLog = createTransparencyLog(ctx);
  await transparencyLog.prepare();
  await createFeed(ctx, {
    source: createSimulatedSource(ctx, transparencyLog),
    transparencyLog,
    contributions: { onSecond: [] },
  }).prepare();
  const deps = {
    ledger,
    // The tree over the leaves is built when the bench requests it.
    transparencyLog: { ...transparencyLog, lagMs: async () => 0 },
    market: {
      latest: () => ({
        secondMs: ctx.clock.nowMs(),
        leaf: 0,
        index: { "BTC/USDT": btcPrice } as never,
      }),
      klines: async () => ({ items: [], hasMore: false }),
    },
    session: { requireNewPositions: async () => {} },
  };
  const mining = createMining(ctx, deps, source);
  await mining.prepare();
  const openPeople = async (count: number, units: number) => {
    const issuance = await ledger.account("house", "issuance", "pUSDT");
    const amount = BigInt(units) * 1_000_000n;
    return Promise.all(
      Array.from({ length: count }, async () => {
        const person = { userId: id(), attemptId: id() };
        const wallet = await ledger.account(person, "wallet", "pUSDT");
        await ledger.post({
          id: newId(),
          kind: "bench.start",
          bodyHash: randomBytes(32),
          legs: [
            { account: issuance, amount: -amount },
            { account: wallet, amount },
          ],
        });
        return person;
      }),
    );
  };
  const close = async () => {
    await ledger.stop();
    await bench.close();
  };
  return { ...bench, transparencyLog, ledger, mining, openPeople, close };
}

const id = () => randomBytes(12).toString("hex");

/** A random UUIDv8. */
export function newId(): string {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6]! & 15) | 128;
  bytes[8] = (bytes[8]! & 63) | 128;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const hashParams = (params: object): Uint8Array =>
  createHash("sha256").update(JSON.stringify(params)).digest();
