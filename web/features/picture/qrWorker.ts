import { decodeQR } from "qr/decode.js";

export interface ScanJob {
  id: number;
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** Reads one picture; `text` is null when there is no code in it. */
self.addEventListener("message", ({ data: job }: MessageEvent<ScanJob>) => {
  let text: string | null = null;
  try {
    text = decodeQR({ width: job.width, height: job.height, data: job.data });
  } catch {
    // No code in this picture: most frames of a camera are like that.
  }
  self.postMessage({ id: job.id, text });
});
