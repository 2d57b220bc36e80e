import type { AuditEntry } from "./audit.ts";

/** An entry in wire form. */
export function toAuditView(entry: AuditEntry) {
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
    leaf: entry.leaf,
    hash: entry.hash,
  };
}
