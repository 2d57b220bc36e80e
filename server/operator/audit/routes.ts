import { Readable } from "node:stream";
import * as api from "#api/operator/audit.ts";
import type { App } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { operatorFileRoute, operatorRoute } from "#server/platform/http/operatorRoute.ts";
import { type Paging, toPage } from "#server/platform/http/pagination.ts";
import type { Audit, AuditFilters } from "./audit.ts";
import { writeAuditFile } from "./file.ts";
import { toAuditView } from "./view.ts";

interface AuditQuery {
  what?: string | undefined;
  operator_id?: string | undefined;
  touches?: string | undefined;
  target?: string | undefined;
  from_ms?: number | undefined;
  to_ms?: number | undefined;
}

/** Mounts the calls of `api/operator/audit.ts`. */
export function auditRoutes(app: App, world: string, auditLog: Audit): void {
  const readPage = async (filters: AuditFilters, query: Paging) => {
    // The newest entry of the first page, so that later pages stay put while new entries arrive.
    const from = parseNumber(query.before) ?? (await auditLog.head()).seq + 1;
    const limit = query.page_size + 1;
    const skip = (query.page - 1) * query.page_size;
    const auditEntries = await auditLog.page(filters, { before: from, limit, skip });
    return { ...toPage(query, auditEntries.map(toAuditView), from), before: String(from) };
  };
  operatorRoute(app, api.getAudit, (query) => readPage(toFilters(query), query));
  operatorRoute(app, api.getMyActs, (query, { operator: { operatorId } }) =>
    readPage({ operatorId }, query),
  );
  operatorRoute(app, api.checkAudit, async () => {
    const { events, head, brokenAt, erased } = await auditLog.check();
    return { acts: events, head, broken_at: brokenAt, erased };
  });
  operatorFileRoute(app, api.exportAudit, ({ format, ...query }, { audit }) => {
    audit({ what: "audit.exported", details: { format } });
    const parts = writeAuditFile(world, format, auditLog.export(toFilters(query)));
    return new FileAnswer(
      `drydock-practice-audit.${format}`,
      format === "csv" ? "text/csv; charset=utf-8" : "application/json; charset=utf-8",
      Readable.from(parts),
    );
  });
}

/** A sequence number of the chain; anything else starts from the first page. */
function parseNumber(before: string | undefined): number | null {
  return before !== undefined && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null;
}

function toFilters(query: AuditQuery): AuditFilters {
  const { operator_id: operatorId, from_ms: fromMs, to_ms: toMs, what, touches, target } = query;
  return { what, operatorId, touches, target, fromMs, toMs };
}
