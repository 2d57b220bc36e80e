import type { AnswerOf } from "#api/call.ts";
import type { getResultHistory } from "#api/records.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import type { ActReceipt } from "#core/operator/auditReceipt.ts";
import type { JournalReceipt } from "#core/records/journalReceiptSchema.ts";
import type { RecordType } from "#core/records/record.ts";
import { recordTypes } from "#core/records/record.ts";
import type { HistoryRange } from "#core/wallet/balanceHistory.ts";
import { isOwnAttempt, readOwnAttempts } from "#server/ledger/ownAttempt.ts";
import type { CommitmentChoice } from "#server/liabilities/store.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { Account } from "#server/records/accountView.ts";
import { buildActReceipt } from "#server/records/actReceipt.ts";
import { type PersonAuditEvent, writePersonAuditEvent } from "#server/records/auditEvents.ts";
import { createExplainers } from "#server/records/explainers.ts";
import { type ExportParams, exportRecords } from "#server/records/export.ts";
import { readHistory } from "#server/records/historyView.ts";
import { createInbox } from "#server/records/inbox.ts";
import { type RecordPage, type RecordQuery, readPage } from "#server/records/list.ts";
import { createProductLines, type ProductResultsReader } from "#server/records/productLines.ts";
import { buildJournalReceipt } from "#server/records/receipt.ts";
import type { RecordsDeps } from "#server/records/types.ts";

/** The owner of the records. Every attempt is checked to belong to the person. */
interface AttemptOwner {
  userId: string;
  attemptId: string;
}

export interface Records {
  /** A page of the records of one of the person's attempts. Throws `records.*`. */
  page(
    owner: AttemptOwner,
    query: RecordQuery & { attemptId?: string | undefined },
  ): Promise<RecordPage>;
  ofType(owner: AttemptOwner, type: RecordType, query: RecordQuery): Promise<RecordPage>;
  /**
   * The chunks of a file, in order; `attemptId` is one of the person's. Throws before the first
   * chunk.
   */
  export(owner: AttemptOwner, params: ExportParams): Promise<AsyncGenerator<string>>;
  /**
   * Throws `records.unknown`, or `records.receipt_not_ready` until the log commits to the journal.
   */
  receipt(
    userId: string,
    journalId: string,
    commitment?: CommitmentChoice,
  ): Promise<JournalReceipt>;
  /**
   * The receipt of an operator's act that affected the person; null if there is no such act. Throws
   * `log.receipt_not_ready`.
   */
  actReceipt(userId: string, eventId: string): Promise<ActReceipt | null>;
  lines: ProductResultsReader;
  /**
   * Total and result of each of a person's attempts, oldest first; null while a coin in them has no
   * index.
   */
  accounts(userId: string): Promise<(Account | null)[]>;
  /** The result of an attempt over time, and its flows. */
  history(attemptId: string, range: HistoryRange): Promise<AnswerOf<typeof getResultHistory>>;
  inbox: ReturnType<typeof createInbox>;
  /** Records what an operator did to a person, in that person's records. */
  recordAuditEvent(act: PersonAuditEvent, db?: Db): Promise<string>;
}

/** Everything that touched a person's accounts: listed, exported, explained and made verifiable. */
export function createRecords(ctx: AppContext, deps: RecordsDeps): Records {
  const { db } = ctx.database;
  const from = { db, fieldEncryption: ctx.fieldEncryption };
  const explainers = createExplainers(deps.contributions);
  const lines = createProductLines(ctx, deps);
  const getAttempt = async ({ userId, attemptId }: AttemptOwner, query: string | undefined) => {
    if (query === undefined || query === attemptId) return attemptId;
    if (await isOwnAttempt(db, { userId, attemptId: query })) return query;
    throw new ApiError("records.attempt_unknown");
  };
  return {
    page: async (owner, query) =>
      readPage(from, explainers, await getAttempt(owner, query.attemptId), query),
    ofType: (who, type, query) =>
      readPage(from, explainers, who.attemptId, { ...query, groups: recordTypes[type] }),
    export: async (owner, params) => {
      const attemptId = await getAttempt(owner, params.attemptId);
      return exportRecords(from, explainers, ctx.world.name, attemptId, params);
    },
    receipt: (userId, journalId, commitment = "first") =>
      buildJournalReceipt(ctx, deps.transparencyLog, explainers, userId, journalId, commitment),
    actReceipt: async (userId, eventId) =>
      isUuid(eventId) ? buildActReceipt(ctx, deps.transparencyLog, userId, eventId) : null,
    lines,
    accounts: async (userId) => {
      const accounts: (Account | null)[] = [];
      for (const attemptId of await readOwnAttempts(db, userId)) {
        accounts.push((await lines(attemptId)).account);
      }
      return accounts;
    },
    history: (attemptId, range) => readHistory(lines, deps.market, attemptId, range),
    inbox: createInbox({ ...from, explainers, contributions: deps.contributions }),
    recordAuditEvent: (act, db) => writePersonAuditEvent(ctx, act, db),
  };
}
