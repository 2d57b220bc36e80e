import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { BookEntry } from "#api/withdraw.ts";
import { readAddress } from "#core/wallet/address.ts";
import { bookMax, readBookName } from "#core/wallet/withdrawBook.ts";
import { lockKey, type Tx } from "#server/platform/db.ts";
import type { Parts } from "#server/platform/parts.ts";
import { Refusal } from "#server/platform/refusal.ts";
import { refusalOfAddress } from "#server/wallet/addressBook/refusal.ts";

export interface AddressBook {
  /** By name. */
  list(userId: string): Promise<BookEntry[]>;
  /** Refuses by the form of name and address, an address that is in it already, and the 101st. */
  add(userId: string, entry: { name: string; address: string }): Promise<BookEntry>;
  rename(userId: string, entryId: string, name: string): Promise<BookEntry>;
  remove(userId: string, entryId: string): Promise<void>;
}

interface Row {
  entry_id: string;
  name: string;
  network: string;
  address: string;
  added_real_ms: bigint;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Practice addresses that a person gave names to. Only ever a help to the memory: no withdrawal asks whether an address is in it. */
export function createAddressBook({
  database: { db, schema },
  realClock,
}: Pick<Parts, "database" | "realClock">): AddressBook {
  return {
    list: async (userId) => {
      const { rows } = await sql<Row>`
        select * from address_book where user_id = ${userId}
        order by lower(name), added_real_ms, entry_id`.execute(db);
      return rows.map(viewOf);
    },
    add: async (userId, { name: typed, address: text }) => {
      const name = nameOf(typed);
      const read = readAddress(text.trim());
      if (!read.ok) throw refusalOfAddress(read);
      const row: Row = {
        entry_id: randomUUID(),
        name,
        network: read.network,
        address: read.address,
        added_real_ms: BigInt(realClock.nowMs()),
      };
      await db.transaction().execute(async (tx) => {
        // One after another, so that two at once are not both the hundredth.
        await sql`select pg_advisory_xact_lock(${lockKey(schema, `book/${userId}`)})`.execute(tx);
        await refuseKnownOrFull(tx, userId, read.address);
        await sql`
          insert into address_book (entry_id, user_id, name, network, address, added_real_ms)
          values (${row.entry_id}, ${userId}, ${name}, ${row.network}, ${row.address}, ${row.added_real_ms})`.execute(
          tx,
        );
      });
      return viewOf(row);
    },
    rename: async (userId, entryId, typed) => {
      const name = nameOf(typed);
      if (!uuid.test(entryId)) throw new Refusal("book.unknown");
      const { rows } = await sql<Row>`
        update address_book set name = ${name} where entry_id = ${entryId} and user_id = ${userId} returning *`.execute(
        db,
      );
      if (!rows[0]) throw new Refusal("book.unknown");
      return viewOf(rows[0]);
    },
    remove: async (userId, entryId) => {
      if (!uuid.test(entryId)) throw new Refusal("book.unknown");
      const { rows } = await sql`
        delete from address_book where entry_id = ${entryId} and user_id = ${userId} returning entry_id`.execute(
        db,
      );
      if (rows.length === 0) throw new Refusal("book.unknown");
    },
  };
}

function nameOf(typed: string): string {
  const read = readBookName(typed);
  if (!read.ok)
    throw new Refusal(read.reason === "empty" ? "book.name_empty" : "book.name_too_long");
  return read.name;
}

async function refuseKnownOrFull(tx: Tx, userId: string, address: string): Promise<void> {
  const { rows } = await sql<{ name: string; address: string }>`
    select name, address from address_book where user_id = ${userId}`.execute(tx);
  const known = rows.find((row) => row.address === address);
  if (known) throw new Refusal("book.address_known", { name: known.name });
  if (rows.length >= bookMax) throw new Refusal("book.full", { maximum: bookMax });
}

function viewOf(row: Row): BookEntry {
  return {
    entry_id: row.entry_id,
    name: row.name,
    network: row.network,
    address: row.address,
    added_at_ms: Number(row.added_real_ms),
  };
}
