/**
 * 1 000 random leases over 400 days of a driven world, across a halving and its difficulty changes,
 * checked by the independent verifier: `node tools/verify/leases.ts [leases] [days]`. World time
 * advances in random jumps, from seconds to three days; a tenth of the leases is ended early. Only
 * seconds that bind something are closed, without quotes. Ends with the verifier's verdict on the log and every receipt.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayMs } from "#core/money/time.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { seedMachines } from "#seed/machines.ts";
import { bindLeases } from "#server/mining/binding.ts";
import { createSimulatedNetwork } from "#server/mining/source.ts";
import { insertBindings } from "#server/transparency-log/bindings.ts";
import { printConditions } from "../bench/lib/conditions.ts";
import { hashParams, type MiningBench, newId, openMiningBench } from "../bench/lib/mining.ts";

const leases = Number(process.argv[2] ?? 1_000);
const days = Number(process.argv[3] ?? 400);
/** Some 210 days before the halving at 1 050 000. */
const start = { height: 505 * 2_016, bits: 0x17034219 };

printConditions(
  `${leases} leases within ${days} world days, difficulty 86 T at height ${start.height}`,
);
const bench = await openMiningBench(createSimulatedNetwork(start));
try {
  await run(bench);
} finally {
  await bench.close();
}

/** Deterministic random numbers, so that each run has the same leases: words of SHA-256. */
function createRandom() {
  let step = 0;
  return (below: number): number => {
    step += 1;
    return createHash("sha256").update(`leases ${step}`).digest().readUIntBE(0, 6) % below;
  };
}

async function run({
  ctx,
  mining,
  transparencyLog,
  openPeople,
  ledger,
}: MiningBench): Promise<void> {
  const startedMs = performance.now();
  await seedMachines(mining);
  const machines = await mining.catalogue.all();
  const people = await openPeople(100, 10_000_000);
  const chance = createRandom();
  const fromMs = ctx.clock.nowMs();
  const moments = Array.from({ length: leases }, () => fromMs + chance((days - 20) * dayMs));
  const startedLeases: { userId: string; leaseId: string }[] = [];
  let paidMs = 0;
  const pay = async () => {
    const beforeMs = performance.now();
    await mining.advance();
    paidMs += performance.now() - beforeMs;
  };
  for (const atMs of moments.toSorted((a, b) => a - b)) {
    while (ctx.clock.nowMs() < atMs) {
      ctx.clock.advanceTo(Math.min(atMs, ctx.clock.nowMs() + 1 + chance(3 * dayMs)));
      await pay();
    }
    const person = people[chance(people.length)]!;
    const terms = machines[chance(machines.length)]!;
    const params = {
      productId: terms.productId,
      quantity: 1 + chance(2),
      days: 1 + chance(180),
      termsHash: terms.termsHash,
    };
    const id = newId();
    await mining.lease(person, params, id, hashParams(params));
    await closeSecond(ctx, transparencyLog);
    startedLeases.push({ userId: person.userId, leaseId: id });
    if (chance(10) === 0) {
      await endLeases(mining, startedLeases[chance(startedLeases.length)]!);
      await closeSecond(ctx, transparencyLog);
    }
  }
  ctx.clock.advanceTo(fromMs + days * dayMs);
  await pay();
  const checkpoint = (await transparencyLog.integrate())!;
  console.log(
    `${leases} leases run in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s, ${(paidMs / 1_000).toFixed(1)} s of them readings and payouts`,
  );
  await verify(checkpoint.note, startedLeases);
  await ledger.stop();

  async function verify(note: string, all: typeof startedLeases): Promise<void> {
    const receipts = [];
    for (const { userId, leaseId } of all)
      receipts.push(await mining.receipt(userId, leaseId, null));
    const storedLeaves = await transparencyLog.leaves(0, checkpoint.size);
    const { keys } = await transparencyLog.identity();
    const folder = mkdtempSync(join(tmpdir(), "drydock-leases-"));
    const file = join(folder, "log.json");
    const leaves = storedLeaves.map(({ bytes }) => bytesToHex(bytes));
    const wholeLog = {
      world: ctx.world.name,
      vkey: keys[0]!.vkey,
      checkpoint: note,
      leaves,
      start,
      receipts,
    };
    writeFileSync(file, JSON.stringify(wholeLog));
    try {
      const verifier = join(import.meta.dirname, "../../verify/mining/leases.ts");
      process.stdout.write(execFileSync(process.execPath, [verifier, file], { encoding: "utf8" }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Closes the next second: one without quotes, which binds what was accepted. */
async function closeSecond(
  ctx: MiningBench["ctx"],
  transparencyLog: MiningBench["transparencyLog"],
): Promise<void> {
  const secondMs = (Math.floor(ctx.clock.nowMs() / 1_000) + 1) * 1_000;
  ctx.clock.advanceTo(secondMs);
  await ctx.database.db.transaction().execute(async (tx) => {
    const leaf = await transparencyLog.next(tx);
    const bindings = await bindLeases(tx, [{ secondMs, leaf, index: {} as never }]);
    const hashes = bindings.get(secondMs) ?? [];
    const second = { secondMs, quotes: [], index: [], ...bindOrders(hashes) };
    const bytes = encodeSecond(second, worldTag(ctx.world.name));
    await transparencyLog.append(tx, [{ kind: "second", bytes }]);
    if (hashes.length > 0) await insertBindings(tx, [{ leaf, hashes }]);
  });
}

/** Ends the lease if it has unused whole days. */
async function endLeases(
  mining: MiningBench["mining"],
  { userId, leaseId }: { userId: string; leaseId: string },
): Promise<void> {
  const unusedDays = (await mining.leaseOf(userId, leaseId)).end_now?.unused_days;
  if (unusedDays === undefined) return;
  const params = { leaseId, unusedDays };
  await mining.end({ userId }, params, newId(), hashParams(params));
}
