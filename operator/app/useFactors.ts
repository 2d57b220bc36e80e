import type { AnswerOf } from "#api/call.ts";
import type { SecurityKeyView } from "#api/operator/factors.ts";
import { getFactors } from "#api/routes/operator/factors.ts";
import { supportsKeys } from "#operator/app/securityKey.ts";
import { invalidateMe } from "#operator/app/useOperator.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";

export type FactorsView = AnswerOf<typeof getFactors>;

export const securityPath = "/operator/security";

/** The operator's own second factors. */
export const useFactors = (enabled = true) => useApiQuery(getFactors, {}, { enabled });

/** After a change: it may have made the console writable, and ended an elevation. */
export async function invalidateFactors(): Promise<void> {
  await Promise.all([invalidate(getFactors), invalidateMe()]);
}

/** The keys that can be asked at this address, in this browser. */
export function listUsableKeys({ keys, rp_id: rpId }: FactorsView): SecurityKeyView[] {
  return supportsKeys() ? keys.filter((key) => key.rp_id === rpId) : [];
}
