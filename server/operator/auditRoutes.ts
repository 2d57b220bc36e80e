import { Readable } from "node:stream";
import * as api from "#api/operator/audit.ts";
import type { Audit, AuditEntry, AuditFilters } from "#server/operator/audit.ts";
import { writeAuditFile } from "#server/operator/auditFile.ts";
import type { App } from "#server/platform/http/context.ts";
import { operatorFileRoute, operatorRoute } from "#server/platform/http/operatorRoute.ts";
import { type Paging, pageOf } from "#server/platform/http/pagination.ts";

interface Asked {
  what?: string | undefined;
  operator_id?: string | undefined;
  touches?: string | undefined;
  target?: string | undefined;
  from_ms?: number | undefined;
  to_ms?: number | undefined;
}

/** Mounts the calls of `api/operator/audit.ts`. */
export function auditRoutes(app: App, world: string, audit: Audit): void {
  const read = async (filters: AuditFilters, asked: Paging) => {
    // The first page's newest entry: later pages stay where they are while new ones arrive.
    const from = numberOf(asked.before) ?? (await audit.head()).seq + 1;
    const limit = asked.page_size + 1;
    const skip = (asked.page - 1) * asked.page_size;
    const found = await audit.page(filters, { before: from, limit, skip });
    return { ...pageOf(asked, found.map(viewOf), from), before: String(from) };
  };
  operatorRoute(app, api.getAudit, (asked) => read(filtersOf(asked), asked));
  operatorRoute(app, api.getMyActs, (asked, { operator: { operatorId } }) =>
    read({ operatorId }, asked),
  );
  operatorRoute(app, api.checkAudit, async () => {
    const { acts, head, brokenAt, erased } = await audit.check();
    return { acts, head, broken_at: brokenAt, erased };
  });
  operatorFileRoute(app, api.exportAudit, ({ format, ...asked }, { act }) => {
    act({ what: "audit.exported", details: { format } });
    const parts = writeAuditFile(world, format, audit.export(filtersOf(asked)), viewOf);
    return {
      name: `drydock-practice-audit.${format}`,
      type: format === "csv" ? "text/csv; charset=utf-8" : "application/json; charset=utf-8",
      stream: Readable.from(parts),
    };
  });
}

/** A number of the chain; anything else starts anew. */
function numberOf(before: string | undefined): number | null {
  return before !== undefined && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null;
}

function filtersOf(asked: Asked): AuditFilters {
  const { operator_id: operatorId, from_ms: fromMs, to_ms: toMs, what, touches, target } = asked;
  return { what, operatorId, touches, target, fromMs, toMs };
}

function viewOf(entry: AuditEntry) {
  return {
    seq: entry.seq,
    at_ms: entry.atMs,
    operator_id: entry.operatorId,
    role: entry.role,
    what: entry.what,
    target: entry.target,
    touches: entry.touches,
    why: entry.why,
    details: entry.details ? { ...entry.details } : null,
    erased: entry.erased,
    hash: entry.hash,
    text_hash: entry.textHash,
  };
}
export type AuditView = ReturnType<typeof viewOf>;
