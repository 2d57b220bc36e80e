import { useCallback, useRef, useState } from "react";
import type { AnswerOf, Route } from "#api/call.ts";
import { ApiError } from "#api/client.ts";
import type { PickedImage } from "#web/features/picture/shrink.ts";
import { createIdempotencyKeys, createKey } from "#web/lib/api/idempotencyKeys.ts";
import { uploadForm } from "#web/lib/api/upload.ts";

export interface Upload<C extends Route> {
  /** Resolves with the answer, or null when cancelled. Rejects with an ApiError. */
  send: (
    texts: Readonly<Record<string, string>>,
    picture: PickedImage,
  ) => Promise<AnswerOf<C> | null>;
  stop: () => void;
  /** Share already sent, 0 to 100; null when nothing is being sent. */
  progress: number | null;
}

/**
 * Uploads a form with its picture. One idempotency key per form and picture, so that sending again
 * after a lost answer never acts twice.
 */
export function useUpload<C extends Route>(call: C): Upload<C> {
  const [progress, setProgress] = useState<number | null>(null);
  const [idempotencyKeys] = useState(() => createIdempotencyKeys(createKey));
  const running = useRef<AbortController | null>(null);
  const send = useCallback<Upload<C>["send"]>(
    async (texts, picture) => {
      const controller = new AbortController();
      running.current = controller;
      setProgress(0);
      try {
        const answer = await uploadForm(
          call,
          { ...texts, [call.upload?.field ?? "image"]: picture.blob },
          {
            idempotencyKey: idempotencyKeys.keyFor(JSON.stringify([texts, picture.number])),
            onSent: (bytesSent, total) => setProgress(Math.floor((bytesSent * 100) / total)),
            signal: controller.signal,
          },
        );
        idempotencyKeys.release(null);
        return answer;
      } catch (error) {
        if (controller.signal.aborted) return null;
        idempotencyKeys.release(error);
        throw error instanceof ApiError ? error : new ApiError("network.failed", String(error), 0);
      } finally {
        setProgress(null);
      }
    },
    [call, idempotencyKeys],
  );
  const stop = useCallback(() => running.current?.abort(), []);
  return { send, stop, progress };
}
