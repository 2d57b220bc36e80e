import { createScriptUrl } from "#web/lib/start/createScriptUrl.ts";
import type { ScanJob } from "./qrWorker.ts";
import workerPath from "./qrWorker.ts?worker&url";

/** Longest side in pixels of the decoded picture: enough for a code that fills a quarter of it. */
const sideMax = 900;

export interface Reader {
  /** The text of the QR code in a picture; null when there is none. */
  read(source: CanvasImageSource, width: number, height: number): Promise<string | null>;
  stop(): void;
}

/** Reads QR codes in a worker, so that the page stays responsive. */
export function createReader(): Reader {
  const worker = new Worker(createScriptUrl(workerPath));
  const pendingCalls = new Map<number, (text: string | null) => void>();
  let nextId = 1;
  worker.addEventListener(
    "message",
    ({ data }: MessageEvent<{ id: number; text: string | null }>) => {
      pendingCalls.get(data.id)?.(data.text);
      pendingCalls.delete(data.id);
    },
  );
  worker.addEventListener("error", () => {
    for (const answer of pendingCalls.values()) answer(null);
    pendingCalls.clear();
  });
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  return {
    read: (source, width, height) => {
      if (!pen || width === 0 || height === 0) return Promise.resolve(null);
      const scale = Math.min(1, sideMax / Math.max(width, height));
      canvas.width = Math.max(1, Math.round(width * scale));
      canvas.height = Math.max(1, Math.round(height * scale));
      pen.drawImage(source, 0, 0, canvas.width, canvas.height);
      const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
      const job: ScanJob = { id: nextId++, width: canvas.width, height: canvas.height, data };
      return new Promise((resolve) => {
        pendingCalls.set(job.id, resolve);
        worker.postMessage(job, [data.buffer]);
      });
    },
    stop: () => {
      worker.terminate();
      for (const answer of pendingCalls.values()) answer(null);
      pendingCalls.clear();
    },
  };
}
