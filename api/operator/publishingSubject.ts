import type { Bodies } from "#api/operator/publishing.ts";
import type { Kind } from "#core/publishing/bodies.ts";

/**
 * What a publication of this body is about when there may be one only; null for texts, of which
 * there may be many.
 */
export function subjectOf<Name extends Kind>(kind: Name, body: Bodies[Name]): string | null {
  if (kind === "contract_tiers") return (body as Bodies["contract_tiers"]).symbol;
  if (kind === "pool") return (body as Bodies["pool"]).pool_id;
  if (kind === "machine") return (body as Bodies["machine"]).product_id;
  return null;
}
