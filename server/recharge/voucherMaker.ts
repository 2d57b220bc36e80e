import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { parseDecimal } from "#core/money/decimal.ts";
import { dayMs, dayStartMs } from "#core/money/time.ts";
import {
  computeVoucherMac,
  type DecodedVoucher,
  type VoucherClaims,
  type VoucherKind,
  voucherAmounts,
} from "#core/recharge/voucher.ts";
import { listNetworks, type Network, networkNames } from "#core/wallet/networks.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey } from "#server/platform/db/database.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";
import { readVoucher, type VoucherRow } from "#server/recharge/store.ts";

/** Vouchers that a person may draw per real day. */
const drawsPerDayMax = 100;

/** World time for which a specimen is valid. */
const validMs = 30 * dayMs;

export interface VoucherParams {
  coin: Coin;
  network: string;
  /** Decimal, one of `voucherAmounts`. */
  amount: string;
  kind: VoucherKind;
}

export interface VoucherMaker {
  /**
   * Draws a voucher. Throws `recharge.network_wrong`, `recharge.amount_not_drawn`,
   * `recharge.too_many`.
   */
  draw(userId: string, params: VoucherParams): Promise<VoucherRow>;
  /** The contents of a voucher's QR code, and its signature. */
  textOf(row: VoucherRow): Promise<{ claims: VoucherClaims; mac: string }>;
  /**
   * The voucher of this instance that a decoded one claims to be, and whether the signature covers
   * its contents. Throws `recharge.not_a_specimen` if it is from another world or was never issued.
   */
  recognise(read: DecodedVoucher): Promise<{ issued: VoucherRow; macValid: boolean }>;
}

/** Parses a network of `coin`; throws `recharge.network_wrong`. */
export function requireNetwork(coin: Coin, network: string): Network {
  const namedNetwork = listNetworks(coin).find((name) => name === network);
  if (!namedNetwork) {
    throw new ApiError("recharge.network_wrong", { networks: listNetworks(coin).join(", ") });
  }
  return namedNetwork;
}

export function createVoucherMaker(ctx: AppContext): VoucherMaker {
  const { database, world, realClock } = ctx;
  // Created once per world by the first process that needs it; it never changes.
  const key = createTtlCache(() => readKey(ctx), {
    ttlMs: dayMs,
    clock: realClock,
    shouldCache: () => true,
  });
  return {
    draw: async (userId, params) => insertVoucher(ctx, userId, toDraft(ctx, params)),
    textOf: async (row) => {
      const signedClaims = getClaims(world.name, row);
      const mac = computeVoucherMac(await key.get("key"), signedClaims);
      return { claims: { ...signedClaims, amount: row.shown_amount }, mac };
    },
    recognise: async ({ claims, mac }) => {
      if (claims.world !== world.name) {
        throw new ApiError("recharge.not_a_specimen", { why: "other_world" });
      }
      const issuedVoucher = await readVoucher(database.db, claims.id);
      if (!issuedVoucher) throw new ApiError("recharge.not_a_specimen", { why: "not_issued" });
      return {
        issued: issuedVoucher,
        macValid: computeVoucherMac(await key.get("key"), claims) === mac,
      };
    },
  };
}

function getClaims(world: string, row: VoucherRow): VoucherClaims {
  const { id, coin, network, amount } = row;
  return { world, id, coin, network, amount, expiresAtMs: Number(row.expires_at_ms) };
}

async function readKey({ database: { db } }: Pick<AppContext, "database">): Promise<Uint8Array> {
  await sql`insert into voucher_key (secret) values (${randomBytes(32)}) on conflict do nothing`.execute(
    db,
  );
  const { rows } = await sql<{ secret: Buffer }>`select secret from voucher_key`.execute(db);
  return rows[0]!.secret;
}

type Draft = Omit<VoucherRow, "seq" | "user_id">;

/** Gives each kind the property it is named for. */
function toDraft(
  { clock }: Pick<AppContext, "clock">,
  { coin, network, amount, kind }: VoucherParams,
): Draft {
  const requestedNetwork = requireNetwork(coin, network);
  const result = parseDecimal(amount, coinScale(coin));
  const isDrawn = result.ok && voucherAmounts[coin].includes(amount);
  if (!isDrawn) {
    throw new ApiError("recharge.amount_not_drawn", { amounts: voucherAmounts[coin].join(", ") });
  }
  const nowMs = clock.nowMs();
  return {
    id: randomBytes(12).toString("hex"),
    kind,
    coin,
    network: kind === "wrong_network" ? otherNetwork(coin, requestedNetwork) : requestedNetwork,
    // A zero was added to the signed amount.
    amount: kind === "altered" ? result.value / 10n : result.value,
    shown_amount: result.value,
    expires_at_ms: BigInt(kind === "expired" ? nowMs - dayMs : nowMs + validMs),
    used_at_ms: kind === "already_used" ? BigInt(nowMs - dayMs) : null,
    drawn_at_ms: BigInt(nowMs),
  };
}

/** Another network of the coin if it has one, else one that does not carry it at all. */
function otherNetwork(coin: Coin, requestedNetwork: Network): Network {
  const otherNetworks = [...listNetworks(coin), ...networkNames].filter(
    (name) => name !== requestedNetwork,
  );
  return otherNetworks[0] as Network;
}

async function insertVoucher(ctx: AppContext, userId: string, draft: Draft): Promise<VoucherRow> {
  const { database, realClock } = ctx;
  const realMs = realClock.nowMs();
  return database.db.transaction().execute(async (tx) => {
    // Serialises one person's draws, so that no two take the last free slot.
    await sql`select pg_advisory_xact_lock(${lockKey(database.schema, `voucher/${userId}`)}::bigint)`.execute(
      tx,
    );
    const { rows: drawnRows } = await sql<{ drawn: bigint }>`
      select count(*) as drawn from voucher
      where user_id = ${userId} and drawn_real_ms >= ${dayStartMs(realMs)}`.execute(tx);
    if (drawnRows[0]!.drawn >= BigInt(drawsPerDayMax)) throw new ApiError("recharge.too_many");
    const { rows } = await sql<VoucherRow>`
      insert into voucher (id, user_id, kind, coin, network, amount, shown_amount, expires_at_ms, used_at_ms, drawn_at_ms,
        drawn_real_ms)
      values (${draft.id}, ${userId}, ${draft.kind}, ${draft.coin}, ${draft.network}, ${draft.amount}, ${draft.shown_amount},
        ${draft.expires_at_ms}, ${draft.used_at_ms}, ${draft.drawn_at_ms}, ${realMs})
      returning *`.execute(tx);
    return rows[0]!;
  });
}
