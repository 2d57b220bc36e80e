import { useCallback, useRef, useState } from "react";
import { CallError } from "#api/client.ts";
import type { RechargeState } from "#api/recharge.ts";
import { recharge } from "#api/routes/recharge.ts";
import type { Picked } from "#web/features/picture/shrink.ts";
import { uploadPicture } from "#web/features/picture/upload.ts";
import { createIntents, uuidV7 } from "#web/lib/idempotencyKeys.ts";

export interface Upload {
  /** Resolves with the recharge; null when it was cancelled. Rejects with a CallError. */
  send: (
    form: { coin: string; network: string; amount: string },
    picture: Picked,
  ) => Promise<RechargeState | null>;
  cancel: () => void;
  /** How much has been sent, 0 to 100; null while nothing is. */
  progress: number | null;
}

const newKey = () => uuidV7(Date.now(), (bytes) => crypto.getRandomValues(bytes));

/** One key per form and picture: sending again after a lost answer never makes two recharges. */
export function useUpload(): Upload {
  const [progress, setProgress] = useState<number | null>(null);
  const [intents] = useState(() => createIntents(newKey));
  const stop = useRef<AbortController | null>(null);
  const send = useCallback<Upload["send"]>(
    async (form, picture) => {
      const controller = new AbortController();
      stop.current = controller;
      setProgress(0);
      const intent = [form.coin, form.network, form.amount, picture.number].join(" ");
      try {
        const answer = await uploadPicture(
          recharge,
          { texts: form, picture: picture.blob },
          {
            idempotencyKey: intents.keyFor(intent),
            onProgress: setProgress,
            signal: controller.signal,
          },
        );
        intents.answered(null);
        return answer;
      } catch (cause) {
        if (controller.signal.aborted) return null;
        intents.answered(cause);
        throw cause instanceof CallError
          ? cause
          : new CallError("network.failed", String(cause), 0);
      } finally {
        setProgress(null);
      }
    },
    [intents],
  );
  const cancel = useCallback(() => stop.current?.abort(), []);
  return { send, cancel, progress };
}
