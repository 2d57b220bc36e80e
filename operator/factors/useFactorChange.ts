import { useState } from "react";
import type { InputOf, Route } from "#api/call.ts";
import { parseCode } from "#core/operator/code.ts";
import { useText } from "#i18n/useText.ts";
import { elevate } from "#operator/app/elevate.ts";
import { type ActionFailure, describeFailure } from "#operator/app/failure.ts";
import { type FactorsView, invalidateFactors } from "#operator/app/useFactors.ts";
import { getElevationEndMs } from "#operator/app/useOperator.ts";
import { NotElevatedError, useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { toast } from "#ui/overlay/toast.ts";

/**
 * The state shared by the sections of the page: the factors, and the one-time code after a reset.
 */
export interface Setup {
  factors: FactorsView;
  code: string;
  /** Marks the code as missing or malformed. */
  rejectCode: () => void;
}

/**
 * A change of the operator's own factors. While none is set up, the wallet's signature (and the code
 * after a reset) elevates on the way; later the elevation sheet asks for the factor.
 */
export function useFactorChange<C extends Route>(call: C, { factors, code, rejectCode }: Setup) {
  const t = useText();
  const { send } = useOperatorMutation(call);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const { needed } = factors;
  const prepare = async () => {
    if (needed === "factor" || getElevationEndMs() !== null) return;
    await elevate(needed === "code" ? { with: "code", code } : { with: "signature" });
  };
  /** Resolves to true if the change was made; `input` may ask a security key first. */
  const run = async (input: () => Promise<InputOf<C>>, successText: string): Promise<boolean> => {
    if (busy) return false;
    if (needed === "code" && getElevationEndMs() === null && parseCode(code) === null) {
      rejectCode();
      return false;
    }
    setBusy(true);
    setFailure(null);
    try {
      await prepare();
      await send(await input());
      toast(t(successText));
      return true;
    } catch (error) {
      if (!(error instanceof NotElevatedError)) setFailure(await describeFailure(error));
      return false;
    } finally {
      await invalidateFactors();
      setBusy(false);
    }
  };
  return { run, busy, failure };
}
