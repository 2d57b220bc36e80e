import { useState } from "react";
import type { ApiError } from "#api/client.ts";
import { getBeliefs, stateBelief } from "#api/routes/beliefs.ts";
import { toast } from "#ui/overlay/toast.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** The draft of a belief; a confidence of null states none. */
export interface BeliefDraft {
  confidence: number | null;
  reason: string;
}

/**
 * A belief about an order or a subscription: entered before it, and stored by a separate call once
 * it is accepted, so that it can neither delay nor refuse it.
 */
export function useBelief(kind: "order" | "subscription") {
  const [belief, setBelief] = useState<BeliefDraft>({ confidence: null, reason: "" });
  const errorMessage = useErrorMessage();
  const { send } = useApiMutation(stateBelief);
  const keep = async (orderId: string): Promise<void> => {
    const { confidence, reason } = belief;
    if (confidence === null) return;
    try {
      await send({ kind, order_id: orderId, confidence, reason });
      await invalidate(getBeliefs);
    } catch (error) {
      toast(errorMessage(error as ApiError));
    }
  };
  return { field: { kind, belief, onChange: setBelief }, keep };
}
