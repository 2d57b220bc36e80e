import type { Kind, MachineBody, PoolBody } from "#core/publishing/bodies.ts";

/**
 * The subject of a publication when each subject has at most one; null for texts, of which there
 * may be many.
 */
export function getSubject(kind: Kind, body: object): string | null {
  if (kind === "contract_tiers") return (body as { symbol: string }).symbol;
  if (kind === "pool") return (body as PoolBody).pool_id;
  if (kind === "machine") return (body as MachineBody).product_id;
  return null;
}
