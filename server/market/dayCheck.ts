import { sql } from "kysely";
import { nextDayMs } from "#core/money/time.ts";
import type { WorldBeacon } from "#core/transparency-log/beacon.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { decodeDay } from "#core/transparency-log/dayLeaf.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSeed, toSourceJson } from "#core/transparency-log/seedLeaf.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { toWorldBeacon } from "#server/market/leaves.ts";
import type { BeaconChain } from "#server/platform/config/beacon.ts";
import { readWorldLeaf } from "#server/transparency-log/boundRows.ts";

/**
 * Compares the state from which the market continues with the log: the world's row and the anchor
 * of its seeds with the first leaf, days with the leaves that began and revealed them, and days
 * that are over with theirs. Reads all of them.
 */
export function createMarketDayCheck(name: string): AuditCheck {
  const tag = worldTag(name);
  return async (tx, report) => {
    await checkWorld(tx, report);
    await checkBegun(tx, report, tag);
    await checkRounds(tx, report, tag);
    await checkEnded(tx, report, tag);
  };
}

type CheckContext = [...Parameters<AuditCheck>, tag: ReturnType<typeof worldTag>];

/** Compares the world's row with the log's first leaf. */
async function checkWorld(...[tx, find]: Parameters<AuditCheck>): Promise<void> {
  const leaf = await readWorldLeaf(tx);
  const { rows } = await sql<{
    name: string;
    market_kind: string;
    speed: number;
    simulator: number | null;
    recording: string | null;
    symbols: unknown;
    start_ms: bigint;
    anchor: Buffer | null;
    beacon: BeaconChain | null;
    clock_real_ms: bigint;
  }>`select w.*, c.anchor from world w left join market_seed_chain c on true`.execute(tx);
  const [row] = rows;
  const hex = (bytes: Uint8Array | null | undefined) => (bytes ? bytesToHex(bytes) : null);
  const matches =
    row &&
    leaf &&
    [row.name, row.market_kind, row.speed, row.simulator, row.recording].join() ===
      [
        leaf.world,
        leaf.market.kind,
        leaf.market.speed,
        leaf.simulator,
        hex(leaf.recording),
      ].join() &&
    Number(row.start_ms) === leaf.createdAtMs &&
    JSON.stringify(row.symbols) === JSON.stringify(leaf.symbols) &&
    hex(row.anchor) === hex(leaf.seedAnchor) &&
    beaconText(toWorldBeacon({ beacon: row.beacon, createdAtMs: Number(row.clock_real_ms) })) ===
      beaconText(leaf.beacon);
  if (leaf && !matches) find("market.world", "the world is not what the first leaf says");
}

/** Compares each day with the leaves that begin it and reveal its seed. */
async function checkBegun(...[tx, find, tag]: CheckContext): Promise<void> {
  const days = await sql<{
    start_ms: bigint;
    end_ms: bigint;
    seed_source: string;
    start_state: Buffer;
    state_ms: bigint | null;
    begun: Buffer | null;
    revealed: Buffer | null;
    reveal_leaf: bigint | null;
  }>`
      select d.start_ms, d.end_ms, d.seed_source, d.start_state, d.state_ms, b.bytes as begun,
        r.bytes as revealed, d.reveal_leaf
      from market_day d left join log_leaf b on b.leaf = d.begin_leaf
        left join log_leaf r on r.leaf = d.reveal_leaf`.execute(tx);
  for (const day of days.rows) {
    const startMs = Number(day.start_ms);
    const begin = day.begun && decodeSeed(day.begun, tag);
    const revealedSeed = day.revealed && decodeSeed(day.revealed, tag);
    const isBegun =
      begin?.ok &&
      begin.value.action === "begin" &&
      begin.value.dayMs === startMs &&
      Buffer.from(canonicalBytes(toSourceJson(begin.value.source))).toString() === day.seed_source;
    const isRevealed =
      day.reveal_leaf === null ||
      (revealedSeed?.ok &&
        revealedSeed.value.action === "reveal" &&
        revealedSeed.value.dayMs === startMs &&
        bytesToHex(revealedSeed.value.state) === bytesToHex(day.start_state));
    if (!isBegun || !isRevealed || Number(day.end_ms) !== nextDayMs(startMs))
      find("market.day", `the day from ${startMs} on is not what its leaves say`);
  }
  const seeds = await sql<{ count: bigint }>`
      select count(*) from log_leaf l where kind = 4 and not exists (
        select from market_day d where l.leaf in (d.begin_leaf, d.reveal_leaf))
        and not exists (select from market_round r where r.leaf = l.leaf)`.execute(tx);
  if (Number(seeds.rows[0]!.count) > 0) find("market.day", "a seed's leaf belongs to no day");
}

/** Compares each round of the beacon with its leaf. */
async function checkRounds(...[tx, find, tag]: CheckContext): Promise<void> {
  const rounds = await sql<{ day_ms: bigint; round: bigint; signature: Buffer; bytes: Buffer }>`
      select r.day_ms, r.round, r.signature, l.bytes
      from market_round r left join log_leaf l using (leaf)`.execute(tx);
  for (const { day_ms: dayMs, round, signature, bytes } of rounds.rows) {
    const result = bytes && decodeSeed(bytes, tag);
    const isSame =
      result?.ok &&
      result.value.action === "round" &&
      result.value.dayMs === Number(dayMs) &&
      result.value.round === Number(round) &&
      bytesToHex(result.value.signature) === bytesToHex(signature);
    if (!isSame) find("market.round", `the round of ${dayMs} is not what its leaf says`);
  }
}

/** Compares each `day` leaf with its row. */
async function checkEnded(...[tx, find, tag]: CheckContext): Promise<void> {
  const finishedDays = await sql<{ leaf: bigint; day: number | null; bytes: Buffer | null }>`
      select coalesce(d.leaf, l.leaf) as leaf, d.day, l.bytes
      from day_leaf d full join (select * from log_leaf where kind = 11) l on l.leaf = d.leaf`.execute(
    tx,
  );
  for (const { leaf, day, bytes } of finishedDays.rows) {
    const result = bytes && decodeDay(bytes, tag);
    if (!result?.ok || result.value.day !== day)
      find("market.day", `leaf ${leaf} is not of the day that its row says`);
  }
}

const beaconText = (beacon: WorldBeacon | null) =>
  beacon && JSON.stringify({ ...beacon, publicKey: bytesToHex(beacon.publicKey) });
