import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { role } from "#api/operator/session.ts";
import { id, nothing, pageSchema, paging, timeMs } from "#api/shapes.ts";

const commonErrors = ["session.required", "operator.required", "operator.not_permitted"] as const;
const queryTime = z.optional(z.coerce.number().check(z.int(), z.minimum(0)));

const filters = {
  /** An action, or every action whose name begins with this word and a dot. */
  what: z.optional(z.string().check(z.maxLength(64))),
  operator_id: z.optional(id),
  /** Opaque id of the person affected. */
  touches: z.optional(id),
  target: z.optional(id),
  from_ms: queryTime,
  to_ms: queryTime,
};

const auditEntry = z.object({
  seq: z.int(),
  at_ms: timeMs,
  operator_id: id,
  role,
  what: z.string(),
  target: z.nullable(z.string()),
  touches: z.nullable(z.string()),
  why: z.nullable(z.string()),
  details: z.nullable(z.record(z.string(), z.unknown())),
  /**
   * Reason, details and salt were erased with the data of the person they concern; the chain still
   * verifies.
   */
  erased: z.boolean(),
  /** Index of its leaf in the public log, and the hash by which the next leaf names it. */
  leaf: z.int(),
  hash: z.string(),
});
export type AuditEntryView = z.infer<typeof auditEntry>;

export const getAudit = defineCall({
  method: "GET",
  path: "/api/operator/getAudit",
  summary: "What operators did, newest first",
  access: "operator",
  permission: "audit.read",
  input: z.object({ ...filters, ...paging }),
  answer: pageSchema(auditEntry),
  errors: [...commonErrors],
});

export const getMyActs = defineCall({
  method: "GET",
  path: "/api/operator/getMyActs",
  summary: "What this operator did, newest first",
  access: "operator",
  input: z.object(paging),
  answer: pageSchema(auditEntry),
  errors: ["session.required", "operator.required"],
});

export const checkAudit = defineCall({
  method: "GET",
  path: "/api/operator/checkAudit",
  summary: "Recomputes the whole audit chain from the log, and compares every entry with its leaf",
  access: "operator",
  permission: "audit.read",
  input: nothing,
  answer: z.object({
    acts: z.int(),
    /** Hash of the newest leaf of the chain. */
    head: z.string(),
    /** The first entry that does not agree with the log; null if all do. */
    broken_at: z.nullable(z.int()),
    erased: z.int(),
  }),
  errors: [...commonErrors],
});

const auditFormats = ["csv", "json"] as const;

export const exportAudit = defineCall({
  method: "GET",
  path: "/api/operator/exportAudit",
  summary: "The audit log as a file, oldest first, with every hash",
  access: "operator",
  permission: "audit.export",
  input: z.object({ ...filters, format: z.enum(auditFormats) }),
  answer: nothing,
  file: ["text/csv", "application/json"],
  errors: [...commonErrors],
});

export const calls = { getAudit, getMyActs, checkAudit, exportAudit };
