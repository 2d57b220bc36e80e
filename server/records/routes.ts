import { Readable } from "node:stream";
import * as inboxApi from "#api/inbox.ts";
import * as api from "#api/records.ts";
import type { HistoryRange } from "#core/wallet/balanceHistory.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { fileRoute, route } from "#server/platform/http/route.ts";
import type { Records } from "#server/records/records.ts";

/** Mounts every call of `api/records.ts`, and the export. */
export function recordsRoutes(app: App, records: Records): void {
  route(app, api.getTransferRecord, (input, { session }) => {
    const { group, from_ms: fromMs, to_ms: toMs, attempt_id: attemptId, ...rest } = input;
    const groups = group === undefined ? undefined : [group];
    return records.page(session, { ...rest, groups, fromMs, toMs, attemptId });
  });
  route(app, api.getRecordList, ({ type, ...paging }, { session }) =>
    records.ofType(session, type, paging),
  );
  route(app, api.findAccountAndRate, (_input, { session }) => records.lines(session.attemptId));
  route(app, api.getResultHistory, ({ range }, { session }) =>
    records.history(session.attemptId, range as HistoryRange),
  );
  route(app, api.getJournalReceipt, async ({ journal_id: id, commitment }, { session }) => ({
    ...((await records.actReceipt(session.userId, id)) ??
      (await records.receipt(session.userId, id, commitment))),
  }));
  mountInbox(app, records);
  mountExport(app, records);
}

function mountInbox(app: App, { inbox }: Records): void {
  route(app, inboxApi.getInbox, (page, { session }) => inbox.page(session, page));
  route(app, inboxApi.getUnread, async (_input, { session }) => ({
    unread: await inbox.unread(session),
  }));
  route(app, inboxApi.markInboxRead, async ({ position }, { session }) => {
    await inbox.markRead(session, position);
    return { unread: await inbox.unread(session) };
  });
}

const types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" };

/** The export is streamed while it is read: one at a time per person, however long it takes. */
function mountExport(app: App, records: Records): void {
  const running = new Set<string>();
  fileRoute(app, api.exportRecords, async (input, { session }) => {
    const { group, from_ms: fromMs, to_ms: toMs, attempt_id: attemptId, ...rest } = input;
    if (running.has(session.userId)) throw new ApiError("records.export_running");
    running.add(session.userId);
    try {
      const groups = group === undefined ? undefined : [group];
      const parts = await records.export(session, { ...rest, groups, fromMs, toMs, attemptId });
      const stream = Readable.from(parts);
      // However it ends, including a lost connection.
      stream.once("close", () => running.delete(session.userId));
      const name = `drydock-practice-records-${(attemptId ?? session.attemptId).slice(0, 8)}.${rest.format}`;
      return new FileAnswer(name, types[rest.format], stream);
    } catch (error) {
      running.delete(session.userId);
      throw error;
    }
  });
}
