import { sql } from "kysely";
import type { Holding, Holdings, Portions } from "#server/account/personalData.ts";
import { exportBalances } from "#server/account/postings.ts";
import { readAll, readRows, type TableWish } from "#server/account/rows.ts";
import type { AddressBook } from "#server/address-book/addressBook.ts";
import type { History } from "#server/backtest/backtests.ts";
import type { Parts } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { Recharges } from "#server/recharge/recharge.ts";
import { findUser } from "#server/session/users.ts";

interface Needs {
  addressBook: AddressBook;
  recharges: Recharges;
  history: History;
}

/**
 * What the domains of money and markets hold of a person. Their orders and postings are given out and stay: they name an opaque id that
 * leads to nobody once the mapping is gone. Domains with more of their own say it themselves.
 */
export function registerHoldings(holdings: Holdings, parts: Parts, needs: Needs): void {
  const { db } = parts.database;
  const from = { db, sealing: parts.sealing };
  const rows = (wish: TableWish) => (userId: string) => readRows(from, userId, wish);
  const all = (userId: string, wish: TableWish) => readAll(from, userId, wish);
  const remove = async (userId: string, tables: readonly string[]) => {
    for (const table of tables) {
      await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(db);
    }
  };
  holdings.register("account", accountHolding(parts, all));
  holdings.register("address_book", {
    exportOf: async (userId) => ({ json: await needs.addressBook.list(userId) }),
    erase: (userId) => remove(userId, ["address_book"]),
  });
  holdings.register("pin", {
    // That there is one and since when; its hash says nothing to anyone who may read it.
    exportOf: async (userId) => ({
      json: await all(userId, {
        table: "user_pin",
        order: "user_id",
        without: ["user_id", "scheme", "salt", "hash"],
      }),
    }),
    erase: (userId) => remove(userId, ["user_pin"]),
  });
  holdings.register("wallet", walletHolding(db, all, rows, remove));
  holdings.register("recharges", {
    exportOf: async () => ({ json: {} }),
    lists: {
      vouchers: rows({ table: "voucher", order: "seq" }),
      recharges: rows({ table: "recharge", order: "seq", without: ["body_hash", "image"] }),
    },
    blobs: (userId) => needs.recharges.images(userId),
    erase: (userId) => needs.recharges.erase(userId),
  });
  holdings.register("contracts", contractsHolding(db, all, rows, remove));
  holdings.register("hosting", {
    exportOf: async (userId) => ({
      json: {
        holdings: await all(userId, { table: "hosting_holding", order: ["attempt_id", "pool_id"] }),
      },
    }),
    lists: { orders: rows({ table: "hosting_order", order: "seq" }) },
    erase: async () => {},
  });
  holdings.register("history_tests", {
    exportOf: async (userId) => ({
      json: {
        files: await all(userId, {
          table: "history_file",
          order: "blob",
          without: ["blob", "name_mac"],
          opened: { name_sealed: "name" },
        }),
        tries: await all(userId, { table: "history_try", order: ["data_hash", "setting"] }),
      },
    }),
    lists: {
      tests: rows({
        table: "history_run",
        order: "seq",
        without: ["trades_sealed"],
        opened: { what_sealed: "what", result_sealed: "result" },
      }),
    },
    blobs: (userId) => needs.history.files.contents(userId),
    erase: async (userId) => {
      await needs.history.runs.erase(userId);
      await needs.history.files.erase(userId);
    },
  });
  holdings.register("mining", {
    exportOf: async () => ({ json: {} }),
    lists: {
      leases: rows({ table: "mining_lease", order: "seq" }),
      payouts: (userId) => readPayouts(db, userId),
    },
    erase: async () => {},
  });
  holdings.register("console", {
    exportOf: async () => ({ json: {} }),
    lists: {
      acts: rows({
        table: "console_act",
        order: "seq",
        opened: { why_sealed: "why" },
      }),
    },
    // That something was done stays; why it was is sealed under the key that goes.
    erase: async () => {},
  });
}

type All = (userId: string, wish: TableWish) => Promise<object[]>;
type Rows = (wish: TableWish) => (userId: string) => Portions;
type Remove = (userId: string, tables: readonly string[]) => Promise<void>;

function accountHolding({ database: { db }, sealing }: Parts, all: All): Holding {
  return {
    exportOf: async (userId) => ({
      json: {
        user: await all(userId, { table: "user_account", order: "user_id" }),
        address: (await findUser(db, sealing, userId))?.address ?? null,
        attempts: await all(userId, { table: "user_attempt", order: "number" }),
        sessions: await all(userId, {
          table: "user_session",
          order: "session_id",
          without: ["token_hash"],
        }),
        authorisations: await all(userId, {
          table: "user_authorisation",
          order: "authorisation_id",
          opened: { text_sealed: "text" },
        }),
      },
    }),
    erase: async (userId) => {
      await sql`delete from user_address where user_id = ${userId}`.execute(db);
      // Sessions go with what they were signed in by.
      await sql`delete from user_authorisation where user_id = ${userId}`.execute(db);
      await sql`
        update user_account set language = 'en', custom_service_url = null, invite_code = null
        where user_id = ${userId}`.execute(db);
    },
  };
}

function walletHolding(db: Db, all: All, rows: Rows, remove: Remove): Holding {
  const sends = { table: "coin_send", order: "journal_id" };
  return {
    exportOf: async (userId) => ({
      json: {
        balances: await exportBalances(db, userId),
        practice_addresses: await all(userId, { table: "practice_address", order: "network" }),
        quotes: await all(userId, { table: "exchange_quote", order: "quote_id" }),
        recipients: await all(userId, { table: "send_recipient", order: "address" }),
      },
    }),
    lists: {
      withdrawals: rows({
        table: "withdrawal",
        order: "number",
        opened: { address_sealed: "address", act_reason_sealed: "act_reason" },
      }),
      exchanges: rows({ table: "exchange", order: "journal_id" }),
      // The other side's ids are the other side's.
      sent: rows({ ...sends, without: ["to_user_id", "to_attempt_id"] }),
      received: rows({ ...sends, by: "to_user_id", without: ["user_id", "attempt_id"] }),
    },
    erase: (userId) => remove(userId, ["practice_address", "exchange_quote", "send_recipient"]),
  };
}

function contractsHolding(db: Db, all: All, rows: Rows, remove: Remove): Holding {
  return {
    exportOf: async (userId) => ({
      json: {
        limits: await all(userId, { table: "contract_limits", order: "user_id" }),
        follows: await all(userId, { table: "contract_follow", order: "contract_id" }),
        lost_by_day: await readLosses(db, userId),
      },
    }),
    lists: { orders: rows({ table: "contract_order", order: "seq" }) },
    erase: (userId) => remove(userId, ["contract_follow", "contract_limits"]),
  };
}

/** What the loss limit counted, by real day since 1970. */
async function readLosses(db: Db, userId: string): Promise<object[]> {
  const { rows } = await sql<{ key: string; used: bigint }>`
    select key, used from ledger_limit where key like ${`contracts.loss:${userId}:%`} order by key`.execute(
    db,
  );
  return rows.map(({ key, used }) => ({ day: Number(key.split(":").at(-1)), lost: used }));
}

async function* readPayouts(db: Db, userId: string): Portions {
  const portion = 1_000;
  let after = { lease: 0n, day: 0 };
  for (;;) {
    const { rows } = await sql<{ lease: bigint; day: number }>`
      select p.*, l.id as lease_id from mining_lease l join mining_payout p on p.lease = l.seq
      where l.user_id = ${userId} and (p.lease, p.day) > (${after.lease}::bigint, ${after.day}::integer)
      order by p.lease, p.day limit ${portion}`.execute(db);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)!;
  }
}
