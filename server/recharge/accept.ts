import { sql } from "kysely";
import { type Coin, coinScale, isCoin } from "#core/money/coins.ts";
import { dayStartMs } from "#core/money/time.ts";
import { dueAfterMs, type RechargeForm, reviewAfterMs } from "#core/recharge/recharge.ts";
import { parseVoucherText, type VoucherClaims, voucherPattern } from "#core/recharge/voucher.ts";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import { valuedBy } from "#core/wallet/valuation.ts";
import type { Market } from "#server/market/market.ts";
import { requireDecimal } from "#server/platform/amount.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Blobs } from "#server/platform/crypto/blobs.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";
import { UploadedFile } from "#server/platform/http/upload.ts";
import { detectFormat } from "#server/platform/images/format.ts";
import type { DecodeRules, ImageDecoder } from "#server/platform/images/imageDecoder.ts";
import { readRecharge } from "#server/recharge/store.ts";
import { requireNetwork, type VoucherMaker } from "#server/recharge/voucherMaker.ts";

/**
 * Recharges that a person may submit per real day, regardless of outcome: each stores a picture.
 */
const sentPerDay = 100;

const decodeRules: DecodeRules = {
  codePattern: voucherPattern,
  wrongType: "recharge.picture_type",
  unreadable: "recharge.picture_unreadable",
};

/**
 * The first sender of a voucher gets its credit, once in total: pictures get passed around in a
 * class, and meeting `already_used` is the best way to learn that. A recharge is decided later, so
 * its key is looked up among recharges (`taken`), not journals.
 */
export interface RechargeParams {
  coin: string;
  network: string;
  amount: string;
  image?: unknown;
}

export interface AcceptRechargeDeps {
  voucherMaker: VoucherMaker;
  imageDecoder: ImageDecoder;
  blobs: Blobs;
  market: Pick<Market, "latest">;
}

interface Owner {
  userId: string;
  attemptId: string;
}

/**
 * Accepts a recharge: checks form and picture, and stores both only if the picture contains a
 * specimen of this instance. The same id and body again changes nothing. Throws the ApiError that
 * names the fault; nothing was stored then.
 */
export async function acceptRecharge(
  ctx: AppContext,
  deps: AcceptRechargeDeps,
  owner: Owner,
  params: RechargeParams,
  { id, bodyHash }: { id: string; bodyHash: Uint8Array },
): Promise<void> {
  const before = await readRecharge(ctx.database.db, owner.userId, id);
  if (before) return requireSameBody(before.body_hash, bodyHash);
  const form = readForm(params);
  const picture = readPicture(params.image);
  requireIndex(deps, form.coin);
  // Checked again on insert; checked here so that nothing is decoded needlessly.
  await requireDailyQuota(ctx.database.db, owner.userId, id, ctx.realClock.nowMs());
  const { texts, width, height, webp } = await deps.imageDecoder.decode(
    owner.userId,
    picture.bytes,
    decodeRules,
  );
  const decodedVoucher = readTexts(texts);
  const { macValid } = await deps.voucherMaker.recognise(decodedVoucher);
  if (!webp) throw new Error("a specimen was found but not encoded");
  const name = await deps.blobs.put(webp);
  const draft = {
    id,
    bodyHash,
    form,
    claims: decodedVoucher.claims,
    macValid,
    name,
    width,
    height,
  };
  const inserted = await insertRecharge(ctx, owner, draft).catch(async (error: unknown) => {
    await deps.blobs.remove(name);
    throw error;
  });
  if (inserted) return;
  // A concurrent request with the same key got here first.
  await deps.blobs.remove(name);
  const earlierRecharge = await readRecharge(ctx.database.db, owner.userId, id);
  if (!earlierRecharge) throw new Error("the recharge exists but is not its owner's");
  requireSameBody(earlierRecharge.body_hash, bodyHash);
}

function requireSameBody(inserted: Uint8Array, bodyHash: Uint8Array): void {
  if (!equalBytes(inserted, bodyHash)) throw new ApiError("idempotency.body_changed");
}

function readForm({ coin, network, amount }: RechargeParams): RechargeForm {
  if (!isCoin(coin)) throw new ApiError("money.coin_unknown");
  const validNetwork = requireNetwork(coin, network);
  if (amount === "") throw new ApiError("recharge.amount_missing");
  const value = requireDecimal(amount, coinScale(coin));
  if (value === 0n) throw new ApiError("recharge.amount_missing");
  return { coin, network: validNetwork, amount: value };
}

function readPicture(image: unknown): UploadedFile {
  if (!(image instanceof UploadedFile) || image.bytes.length === 0) {
    throw new ApiError("recharge.picture_missing");
  }
  // A file that is not a picture need not be sent to the decoder.
  if (detectFormat(image.bytes) === null) throw new ApiError("recharge.picture_type");
  return image;
}

/** A coin without a market in this world could never be counted against the daily limit. */
function requireIndex({ market }: AcceptRechargeDeps, coin: Coin): void {
  const symbol = valuedBy[coin];
  if (symbol === null || (market.latest()?.index[symbol] ?? null) !== null) return;
  throw new ApiError("recharge.no_price");
}

function readTexts(texts: string[]) {
  if (texts.length === 0) throw new ApiError("recharge.not_a_specimen", { why: "no_code" });
  // Choosing between two codes would be a guess that no one could verify.
  if (texts.length > 1) throw new ApiError("recharge.not_a_specimen", { why: "several_codes" });
  const voucherText = parseVoucherText(texts[0] as string);
  if (!voucherText) throw new ApiError("recharge.not_a_specimen", { why: "other_code" });
  return voucherText;
}

/**
 * Uses up the key in the ledger as well: the credit of a recharge is posted later under another id,
 * and until then no other money call may take the same key. Throws `idempotency.body_changed` if
 * one has.
 */
async function claimKey(tx: Tx, id: string, bodyHash: Uint8Array): Promise<void> {
  const { rows } = await sql<{ claimed: boolean }>`
    select record_refusal(${id}, ${Buffer.from(bodyHash)}, 'idempotency.body_changed', null)
      as claimed`.execute(tx);
  if (!rows[0]!.claimed) throw new ApiError("idempotency.body_changed");
}

/** Throws `recharge.too_many` when the person sent as many besides `id` in this real day as may be. */
async function requireDailyQuota(
  db: Db | Tx,
  userId: string,
  id: string,
  realMs: number,
): Promise<void> {
  const { rows } = await sql<{ sent: bigint }>`
    select count(*) as sent from recharge
    where user_id = ${userId} and accepted_real_ms >= ${dayStartMs(realMs)} and id <> ${id}`.execute(
    db,
  );
  if (rows[0]!.sent >= BigInt(sentPerDay)) throw new ApiError("recharge.too_many");
}

interface Draft {
  id: string;
  bodyHash: Uint8Array;
  form: RechargeForm;
  claims: VoucherClaims;
  macValid: boolean;
  name: string;
  width: number;
  height: number;
}

/** False if the id already exists. */
async function insertRecharge(
  { database, clock, realClock }: AppContext,
  { userId, attemptId }: Owner,
  draft: Draft,
): Promise<boolean> {
  const { id, bodyHash, form, claims, macValid, name, width, height } = draft;
  return database.db.transaction().execute(async (tx) => {
    // Serialises one person's recharges, so that no two take the last free slot.
    await sql`select pg_advisory_xact_lock(${lockKey(database.schema, `recharge/${userId}`)}::bigint)`.execute(
      tx,
    );
    const nowMs = clock.nowMs();
    const realMs = realClock.nowMs();
    await requireDailyQuota(tx, userId, id, realMs);
    await claimKey(tx, id, bodyHash);
    const { rows } = await sql`
      insert into recharge (id, user_id, attempt_id, body_hash, coin, network, amount, voucher_id, read_coin, read_network,
        read_amount, read_expires_at_ms, mac_valid, image, image_width, image_height, accepted_at_ms, accepted_real_ms,
        closing_at_ms, due_at_ms)
      values (${id}, ${userId}, ${attemptId}, ${Buffer.from(bodyHash)}, ${form.coin}, ${form.network}, ${form.amount},
        ${claims.id}, ${claims.coin}, ${claims.network}, ${claims.amount}, ${claims.expiresAtMs}, ${macValid},
        ${name}, ${width}, ${height}, ${nowMs}, ${realMs}, ${nowMs + reviewAfterMs}, ${nowMs + dueAfterMs})
      on conflict (id) do nothing returning id`.execute(tx);
    return rows.length > 0;
  });
}
