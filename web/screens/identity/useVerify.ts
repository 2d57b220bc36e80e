import { useCallback, useRef, useState } from "react";
import { CallError } from "#api/client.ts";
import type { Verification } from "#api/identity.ts";
import { realNameVerify } from "#api/routes/identity.ts";
import { uploadPicture } from "#web/features/picture/upload.ts";
import { createIntents, uuidV7 } from "#web/lib/idempotencyKeys.ts";
import type { VerifyFormState } from "./useVerifyForm.ts";

export interface Verify {
  /** Resolves with the verification; null when it was stopped. Rejects with a CallError. */
  send: (form: VerifyFormState) => Promise<Verification | null>;
  stop: () => void;
  /** How much has been sent, 0 to 100; null while nothing is. */
  progress: number | null;
}

const newKey = () => uuidV7(Date.now(), (bytes) => crypto.getRandomValues(bytes));

/** One key per form and picture: sending again after a lost answer never makes two verifications. */
export function useVerify(): Verify {
  const [progress, setProgress] = useState<number | null>(null);
  const [intents] = useState(() => createIntents(newKey));
  const running = useRef<AbortController | null>(null);
  const send = useCallback<Verify["send"]>(
    async ({ texts, picture }) => {
      if (!picture) return null;
      const controller = new AbortController();
      running.current = controller;
      setProgress(0);
      try {
        const answer = await uploadPicture(
          realNameVerify,
          { texts: { ...texts }, picture: picture.blob },
          {
            idempotencyKey: intents.keyFor(JSON.stringify([texts, picture.number])),
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
  const stop = useCallback(() => running.current?.abort(), []);
  return { send, stop, progress };
}
