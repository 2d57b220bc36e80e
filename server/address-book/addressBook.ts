import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { BookEntry } from "#api/withdraw.ts";
import { deriveOutsideAddress, parseAddress } from "#core/addresses/address.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import { isNetwork, type Network } from "#core/wallet/networks.ts";
import { bookMax, parseBookName } from "#core/withdraw/addressBook.ts";
import { toAddressApiError } from "#server/addresses/addressError.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";

export interface AddressBook {
  /** Sorted by name. */
  list(userId: string): Promise<BookEntry[]>;
  /** Rejects a malformed name or address, an address already in the book, and the 101st entry. */
  add(userId: string, entry: { name: string; address: string }): Promise<BookEntry>;
  /**
   * The person's own practice account outside this instance on a network, added under `name` if it
   * is not in the book; its address is the same every time, so repeating this changes nothing.
   */
  ensureOutside(userId: string, entry: { name: string; network: string }): Promise<BookEntry>;
  rename(userId: string, entryId: string, name: string): Promise<BookEntry>;
  remove(userId: string, entryId: string): Promise<void>;
}

interface Row {
  entry_id: string;
  network: string;
  name_encrypted: Buffer;
  address_encrypted: Buffer;
  added_real_ms: bigint;
}

/** A person's named practice addresses. Only a memory aid: withdrawals never check it. */
export function createAddressBook({
  database: { db, schema },
  realClock,
  fieldEncryption,
  world,
}: Pick<AppContext, "database" | "realClock" | "fieldEncryption" | "world">): AddressBook {
  /** Decrypts a row; null, so an empty book, once the person's key is destroyed. */
  const decryptEntry = async (userId: string, row: Row): Promise<BookEntry | null> => {
    const [name, address] = await Promise.all([
      fieldEncryption.decryptText(userId, row.name_encrypted),
      fieldEncryption.decryptText(userId, row.address_encrypted),
    ]);
    if (name === null || address === null) return null;
    const { entry_id, network } = row;
    return { entry_id, name, network, address, added_at_ms: Number(row.added_real_ms) };
  };
  const readEntry = async (from: Db | Tx, userId: string): Promise<BookEntry[]> => {
    const { rows } = await sql<Row>`
      select * from address_book where user_id = ${userId} order by added_real_ms, entry_id`.execute(
      from,
    );
    const entries = await Promise.all(rows.map((row) => decryptEntry(userId, row)));
    return entries.filter((entry) => entry !== null).toSorted(byName);
  };
  /** Adds an address; `onKnown` decides about one that is in the book already. */
  const insert = async (
    userId: string,
    { name: nameText, network, address }: { name: string; network: Network; address: string },
    onKnown: (existing: BookEntry) => BookEntry,
  ): Promise<BookEntry> => {
    const name = parseName(nameText);
    const entry = { entry_id: randomUUID(), name, network, address };
    const addedAtMs = realClock.nowMs();
    const [nameEncrypted, addressEncrypted] = await Promise.all([
      fieldEncryption.encrypt(userId, name),
      fieldEncryption.encrypt(userId, address),
    ]);
    return db.transaction().execute(async (tx) => {
      // Serialised per person, so that two concurrent adds cannot both be the hundredth.
      await sql`select pg_advisory_xact_lock(${lockKey(schema, `book/${userId}`)})`.execute(tx);
      const entries = await readEntry(tx, userId);
      const existing = entries.find((entry) => entry.address === address);
      if (existing) return onKnown(existing);
      if (entries.length >= bookMax) throw new ApiError("book.full", { maximum: bookMax });
      await sql`
        insert into address_book (entry_id, user_id, network, name_encrypted, address_encrypted, added_real_ms)
        values (${entry.entry_id}, ${userId}, ${network}, ${nameEncrypted}, ${addressEncrypted}, ${addedAtMs})`.execute(
        tx,
      );
      return { ...entry, added_at_ms: addedAtMs };
    });
  };
  return {
    list: (userId) => readEntry(db, userId),
    add: async (userId, { name, address: text }) => {
      parseName(name);
      const to = parseAddress(text.trim());
      if (!to.ok) throw toAddressApiError(to);
      return insert(userId, { name, network: to.network, address: to.address }, (existing) => {
        throw new ApiError("book.address_known", { name: existing.name });
      });
    },
    ensureOutside: async (userId, { name, network }) => {
      if (!isNetwork(network)) throw new ApiError("address.network_unknown");
      const address = deriveOutsideAddress(world.name, userId, network);
      return insert(userId, { name, network, address }, (existing) => existing);
    },
    rename: async (userId, entryId, nameText) => {
      const name = parseName(nameText);
      if (!isUuid(entryId)) throw new ApiError("book.unknown");
      const nameEncrypted = await fieldEncryption.encrypt(userId, name);
      const { rows } = await sql<Row>`
        update address_book set name_encrypted = ${nameEncrypted} where entry_id = ${entryId} and user_id = ${userId} returning *`.execute(
        db,
      );
      const entry = rows[0] ? await decryptEntry(userId, rows[0]) : null;
      if (!entry) throw new ApiError("book.unknown");
      return entry;
    },
    remove: async (userId, entryId) => {
      if (!isUuid(entryId)) throw new ApiError("book.unknown");
      const { rows } = await sql`
        delete from address_book where entry_id = ${entryId} and user_id = ${userId} returning entry_id`.execute(
        db,
      );
      if (rows.length === 0) throw new ApiError("book.unknown");
    },
  };
}

function parseName(text: string): string {
  const result = parseBookName(text);
  if (!result.ok)
    throw new ApiError(result.error === "empty" ? "book.name_empty" : "book.name_too_long");
  return result.name;
}

/** Case-insensitive; entries with equal names keep the order in which they were added. */
function byName(a: BookEntry, b: BookEntry): number {
  const [first, second] = [a.name.toLowerCase(), b.name.toLowerCase()];
  return first < second ? -1 : first > second ? 1 : 0;
}
