import type { Kind, MachineBody, PoolBody } from "#core/publishing/bodies.ts";

/**
 * What a publication of this body is about when there may be one only; null for texts, of which
 * there may be many.
 */
export function subjectOf(kind: Kind, body: object): string | null {
  if (kind === "contract_tiers") return (body as { symbol: string }).symbol;
  if (kind === "pool") return (body as PoolBody).pool_id;
  if (kind === "machine") return (body as MachineBody).product_id;
  return null;
}
