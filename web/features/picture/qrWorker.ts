import { decodeQR } from "qr/decode.js";

export interface ScanJob {
  id: number;
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** Decodes one picture; `text` is null when it contains no code. */
self.addEventListener("message", ({ data: job }: MessageEvent<ScanJob>) => {
  let text: string | null = null;
  try {
    text = decodeQR({ width: job.width, height: job.height, data: job.data });
  } catch {
    // No code in this picture, as in most camera frames.
  }
  self.postMessage({ id: job.id, text });
});
