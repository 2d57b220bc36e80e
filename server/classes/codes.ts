import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { codesMax } from "#core/classes/limits.ts";
import { classCodeLength, parseClassCode, writeCode } from "#core/invites/code.ts";
import { countPlacesLeft, type OpenClass, readOpenClass } from "#server/classes/store.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** A code as read from the database. */
export interface ClassCode {
  classId: string;
  number: number;
  isUsed: boolean;
  /** Null before it is used, and once the account was deleted. */
  userId: string | null;
  expiresAtMs: number;
}

/** A code as the console lists it. */
interface ListedCode {
  number: number;
  /** Null once the code is used, or if its author has deleted their account. */
  code: string | null;
  isUsed: boolean;
}

/** One-use codes of classes (docs/rules/classes.md). Real time. */
export interface ClassCodes {
  /**
   * Makes `count` codes (1 to 40), which take as many places; returns how many the class then has.
   * Throws `class.link_unknown` and `class.too_many_codes`.
   */
  make(tx: Tx, classId: string, count: number): Promise<number>;
  list(open: OpenClass): Promise<ListedCode[]>;
  /** Throws `class.code_unknown`, and `class.code_over` if its class has ended. */
  find(text: string, from?: Db | Tx): Promise<ClassCode>;
  /**
   * Uses a code for an account, in the caller's transaction; repeating it for the same account is a
   * no-op. Throws what `find` does, `class.code_used`, and `class.already_joined` if the account
   * has another code of the class.
   */
  join(tx: Tx, params: { text: string; userId: string; atMs: number }): Promise<ClassCode>;
}

interface Row {
  class_id: string;
  number: number;
  code_encrypted: Buffer | null;
  joined_at_ms: bigint | null;
  user_id: string | null;
}

const indexUse = "class_code";

export function createClassCodes({
  database: { db },
  realClock,
  fieldEncryption,
}: Pick<AppContext, "database" | "realClock" | "fieldEncryption">): ClassCodes {
  const find = async (text: string, from: Db | Tx, isLocked: boolean): Promise<ClassCode> => {
    const code = parseClassCode(text);
    if (code === null) throw new ApiError("class.code_unknown");
    const index = await fieldEncryption.blindIndex(indexUse, code);
    const { rows } = await sql<Row>`
      select * from class_code where code_index = ${index} ${isLocked ? sql`for update` : sql``}`.execute(
      from,
    );
    const [row] = rows;
    if (!row) throw new ApiError("class.code_unknown");
    const openClass = await readOpenClass(from, row.class_id, realClock.nowMs());
    if (!openClass) throw new ApiError("class.code_over");
    return {
      classId: row.class_id,
      number: row.number,
      isUsed: row.joined_at_ms !== null,
      userId: row.user_id,
      expiresAtMs: openClass.expiresAtMs,
    };
  };
  return {
    make: async (tx, classId, count) => {
      const nowMs = realClock.nowMs();
      const openClass = await readOpenClass(tx, classId, nowMs, "lock");
      if (!openClass) throw new ApiError("class.link_unknown");
      const { rows } = await sql<{ last: number }>`
        select coalesce(max(number), 0)::integer as last from class_code where class_id = ${classId}`.execute(
        tx,
      );
      const { last } = rows[0]!;
      const placesLeft = Math.min(codesMax - last, await countPlacesLeft(tx, openClass));
      if (count > placesLeft)
        throw new ApiError("class.too_many_codes", { left: placesLeft, maximum: codesMax });
      for (let number = last + 1; number <= last + count; number += 1) {
        const code = newCode();
        const index = await fieldEncryption.blindIndex(indexUse, code);
        const encrypted = await fieldEncryption.encrypt(openClass.byUserId, code);
        await sql`
          insert into class_code (class_id, number, code_index, code_encrypted, created_at_ms)
          values (${classId}, ${number}, ${index}, ${encrypted}, ${nowMs})`.execute(tx);
      }
      return last + count;
    },
    list: async ({ classId, byUserId }) => {
      const { rows } = await sql<Row>`
        select * from class_code where class_id = ${classId} order by number`.execute(db);
      return Promise.all(
        rows.map(async (row) => ({
          number: row.number,
          code: await fieldEncryption.decryptText(byUserId, row.code_encrypted),
          isUsed: row.joined_at_ms !== null,
        })),
      );
    },
    find: (text, from = db) => find(text, from, false),
    join: async (tx, { text, userId, atMs }) => {
      const classCode = await find(text, tx, true);
      if (classCode.isUsed) {
        if (classCode.userId !== userId) throw new ApiError("class.code_used");
        return classCode;
      }
      const { rows } = await sql`
        update class_code c set user_id = ${userId}, joined_at_ms = ${atMs}, code_encrypted = null
        where (class_id, number) = (${classCode.classId}::uuid, ${classCode.number}::integer) and not exists (
          select from class_code o where (o.class_id, o.user_id) = (c.class_id, ${userId}::text))
        returning number`.execute(tx);
      if (rows.length === 0) throw new ApiError("class.already_joined");
      return { ...classCode, isUsed: true, userId };
    },
  };
}

function newCode(): string {
  for (;;) {
    const code = writeCode(randomBytes(64), classCodeLength);
    if (code) return code;
  }
}
