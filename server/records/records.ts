import { sql } from "kysely";
import type { JournalReceipt } from "#core/records/journalReceiptForm.ts";
import type { RecordType } from "#core/records/record.ts";
import { recordTypes } from "#core/records/record.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { Parts } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import { type ConsoleAct, writeAct } from "#server/records/auditEvents.ts";
import { createExplainers } from "#server/records/explainers.ts";
import { type ExportWish, exportRecords } from "#server/records/export.ts";
import { createLines, type Lines } from "#server/records/lines.ts";
import { type AskedRecords, type RecordPage, readPage } from "#server/records/list.ts";
import { buildJournalReceipt } from "#server/records/receipt.ts";
import type { RecordsDeps } from "#server/records/types.ts";

/** Whose records. Every attempt is checked to be the person's own. */
interface Whose {
  userId: string;
  attemptId: string;
}

export interface Records {
  /** A page of the records of one of the person's attempts. Refuses `records.*`. */
  page(who: Whose, asked: AskedRecords & { attemptId?: string | undefined }): Promise<RecordPage>;
  ofType(who: Whose, type: RecordType, asked: AskedRecords): Promise<RecordPage>;
  /** The parts of a file, in order; `attemptId` is one of the person's. Refuses before the first part. */
  export(who: Whose, wish: ExportWish): Promise<AsyncGenerator<string>>;
  /** Refuses `records.unknown`, or `records.receipt_not_ready` until the journal is committed to in the log. */
  receipt(userId: string, journalId: string): Promise<JournalReceipt>;
  lines: (attemptId: string) => Promise<Lines>;
  /** Writes down what an operator did to a person, in that person's records. */
  recordAct(act: ConsoleAct, db?: Db): Promise<string>;
}

/** Everything that touched a person's accounts: read, exported, explained and made checkable. */
export function createRecords(parts: Parts, deps: RecordsDeps): Records {
  const { db } = parts.database;
  const from = { db, sealing: parts.sealing };
  const explainers = createExplainers(deps.contributions);
  const lines = createLines(parts, deps);
  const attemptOf = async ({ userId, attemptId }: Whose, asked: string | undefined) => {
    if (asked === undefined || asked === attemptId) return attemptId;
    const { rows } = await sql`
      select from user_attempt where attempt_id = ${asked} and user_id = ${userId}`.execute(db);
    if (rows.length === 0) throw new Refusal("records.attempt_unknown");
    return asked;
  };
  return {
    page: async (who, asked) =>
      readPage(from, explainers, await attemptOf(who, asked.attemptId), asked),
    ofType: (who, type, asked) =>
      readPage(from, explainers, who.attemptId, { ...asked, groups: recordTypes[type] }),
    export: async (who, wish) => {
      const attemptId = await attemptOf(who, wish.attemptId);
      return exportRecords(from, explainers, parts.world.name, attemptId, wish);
    },
    receipt: (userId, journalId) =>
      buildJournalReceipt(parts, deps.transparencyLog, explainers, userId, journalId),
    lines,
    recordAct: (act, db) => writeAct(parts, act, db),
  };
}
