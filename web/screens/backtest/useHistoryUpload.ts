import { useCallback, useRef, useState } from "react";
import { getHistorySources, keepHistoryFiles, uploadHistoryFile } from "#api/routes/backtest.ts";
import { client } from "#web/lib/api/client.ts";
import { uploadForm } from "#web/lib/api/upload.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";

export interface HistoryUpload {
  /** The file being uploaded, and the share of all files sent, 0 to 100; null when idle. */
  sending: { name: string; percent: number } | null;
  failure: unknown;
  /** Uploads all files one after another and commits them once the last one was accepted. */
  send: (files: readonly File[]) => Promise<void>;
  cancel: () => void;
}

const createSetId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

export function useHistoryUpload(): HistoryUpload {
  const [sending, setSending] = useState<HistoryUpload["sending"]>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const stop = useRef<AbortController | null>(null);
  const send = useCallback(async (files: readonly File[]) => {
    const controller = new AbortController();
    stop.current = controller;
    setFailure(null);
    const setId = createSetId();
    const total = files.reduce((sum, { size }) => sum + size, 0);
    let before = 0;
    try {
      for (const file of files) {
        const showProgress = (bytes: number) =>
          setSending({
            name: file.name,
            percent: Math.floor(((before + bytes) * 100) / (total || 1)),
          });
        showProgress(0);
        await uploadForm(
          uploadHistoryFile,
          {
            set_id: setId,
            name: file.name,
            file: new File([file], "prices.csv", { type: file.type }),
          },
          {
            onSent: (bytes) => showProgress(Math.min(bytes, file.size)),
            signal: controller.signal,
          },
        );
        before += file.size;
      }
      await client.call(keepHistoryFiles, { set_id: setId, files: files.length });
      await invalidate(getHistorySources);
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error);
    } finally {
      setSending(null);
    }
  }, []);
  const cancel = useCallback(() => stop.current?.abort(), []);
  return { sending, failure, send, cancel };
}
