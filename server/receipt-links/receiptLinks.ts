import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { linkLifeMs, linksMax, type SharedKind } from "#core/receipt-links/rules.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";
import type { Job } from "#server/platform/jobs.ts";

/** Reads the receipt of each kind as its owner gets it; each throws the error of its call. */
export interface ReceiptLinksDeps {
  contracts: { receipt: (userId: string, orderId: string) => Promise<object> };
  hosting: { orderReceipt: (userId: string, orderId: string) => Promise<object> };
  mining: { receipt: (userId: string, leaseId: string, day: null) => Promise<object> };
}

interface Link {
  link_id: string;
  kind: SharedKind;
  order_id: string;
  created_at_ms: number;
  expires_at_ms: number;
}

interface OpenedLink {
  kind: SharedKind;
  expires_at_ms: number;
  receipt: Record<string, unknown>;
}

export interface ReceiptLinks {
  /** The same secret for the same receipt is the same link. */
  create(
    userId: string,
    wanted: { secret: string; kind: SharedKind; orderId: string },
  ): Promise<Link>;
  /** Open links, newest first. */
  list(userId: string): Promise<Link[]>;
  revoke(userId: string, linkId: string): Promise<void>;
  /**
   * Throws `receipt_links.unknown` for a link that never existed, was revoked or has expired, and
   * `mining.receipt_not_ready` while a day of a shared lease is being bound.
   */
  open(secret: string): Promise<OpenedLink>;
  jobs: readonly Job[];
}

interface Row {
  link_id: string;
  user_id: string;
  kind: SharedKind;
  order_id: string;
  created_at_ms: bigint;
  expires_at_ms: bigint;
}

const expireEverySeconds = 3_600;

/** Links by which anyone can open one receipt, created and revoked by its owner. */
export function createReceiptLinks(
  { database: { db, schema }, realClock }: Pick<AppContext, "database" | "realClock">,
  { contracts, hosting, mining }: ReceiptLinksDeps,
): ReceiptLinks {
  const receipts: Record<SharedKind, (userId: string, orderId: string) => Promise<object>> = {
    contract: contracts.receipt,
    hosting: hosting.orderReceipt,
    lease: (userId, leaseId) => mining.receipt(userId, leaseId, null),
  };
  const findOpen = async (from: Db | Tx, secret: string): Promise<Row | null> => {
    const { rows } = await sql<Row>`
      select link_id, user_id, kind, order_id, created_at_ms, expires_at_ms from receipt_link
      where secret_hash = ${computeHash(secret)} and expires_at_ms > ${realClock.nowMs()}`.execute(
      from,
    );
    return rows[0] ?? null;
  };
  const listOpen = async (from: Db | Tx, userId: string): Promise<Row[]> => {
    const { rows } = await sql<Row>`
      select link_id, user_id, kind, order_id, created_at_ms, expires_at_ms from receipt_link
      where user_id = ${userId} and expires_at_ms > ${realClock.nowMs()}
      order by created_at_ms desc, link_id`.execute(from);
    return rows;
  };
  return {
    create: async (userId, { secret, kind, orderId }) => {
      // Only a receipt that exists and is the person's own can be shared.
      await receipts[kind](userId, orderId);
      return await db.transaction().execute(async (tx) => {
        // Serialised per person, so that two concurrent additions cannot both take the last place.
        await sql`select pg_advisory_xact_lock(${lockKey(schema, `receipt-links/${userId}`)})`.execute(
          tx,
        );
        const existingLink = await findOpen(tx, secret);
        if (existingLink) {
          const isSame =
            existingLink.user_id === userId &&
            existingLink.kind === kind &&
            existingLink.order_id === orderId;
          if (!isSame) throw new ApiError("receipt_links.secret_used");
          return toView(existingLink);
        }
        if ((await listOpen(tx, userId)).length >= linksMax) {
          throw new ApiError("receipt_links.too_many", { maximum: linksMax });
        }
        const createdAtMs = realClock.nowMs();
        const { rows } = await sql<Row>`
          insert into receipt_link
            (link_id, user_id, secret_hash, kind, order_id, created_at_ms, expires_at_ms)
          values (${randomUUID()}, ${userId}, ${computeHash(secret)}, ${kind}, ${orderId},
            ${createdAtMs}, ${createdAtMs + linkLifeMs})
          on conflict (secret_hash) do nothing
          returning link_id, user_id, kind, order_id, created_at_ms, expires_at_ms`.execute(tx);
        // The secret of a link that has expired, or that another person has just created.
        if (!rows[0]) throw new ApiError("receipt_links.secret_used");
        return toView(rows[0]);
      });
    },
    list: async (userId) => (await listOpen(db, userId)).map(toView),
    revoke: async (userId, linkId) => {
      await sql`
        delete from receipt_link where user_id = ${userId} and link_id::text = ${linkId}`.execute(
        db,
      );
    },
    open: async (secret) => {
      const row = await findOpen(db, secret);
      if (!row) throw new ApiError("receipt_links.unknown");
      const receipt = await receipts[row.kind](row.user_id, row.order_id);
      const { kind, expires_at_ms: expiresAtMs } = row;
      return { kind, expires_at_ms: Number(expiresAtMs), receipt: { ...receipt } };
    },
    jobs: [
      {
        name: "receiptLinks.expire",
        everySeconds: expireEverySeconds,
        run: () =>
          sql`delete from receipt_link where expires_at_ms <= ${realClock.nowMs()}`.execute(db),
      },
    ],
  };
}

const computeHash = (secret: string): Buffer =>
  createHash("sha256").update(secret, "utf8").digest();

function toView(row: Row): Link {
  const { link_id, kind, order_id } = row;
  return {
    link_id,
    kind,
    order_id,
    created_at_ms: Number(row.created_at_ms),
    expires_at_ms: Number(row.expires_at_ms),
  };
}
