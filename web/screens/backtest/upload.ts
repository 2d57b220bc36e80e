import type { HistoryFile } from "#api/backtest.ts";
import { CallError } from "#api/client.ts";
import type { Envelope } from "#api/envelope.ts";
import { uploadHistoryFile } from "#api/routes/backtest.ts";
import { currentSettings } from "#web/lib/settings.ts";

export interface UploadOptions {
  /** Bytes of the file that have been sent. */
  onSent: (bytes: number) => void;
  signal: AbortSignal;
}

/** Brings one file of a set. By XMLHttpRequest, since `fetch` does not tell how much has been sent. Rejects with a CallError. */
export function uploadPriceFile(
  setId: string,
  file: File,
  { onSent, signal }: UploadOptions,
): Promise<HistoryFile> {
  const body = new FormData();
  body.set("set_id", setId);
  body.set("name", file.name);
  body.set("file", file, "prices.csv");
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    const lost = () => reject(new CallError("network.failed", "network.failed", request.status));
    request.open(uploadHistoryFile.method, uploadHistoryFile.path);
    request.setRequestHeader("language", currentSettings().language);
    request.upload.onprogress = ({ loaded }) => onSent(Math.min(loaded, file.size));
    request.onerror = lost;
    request.ontimeout = lost;
    request.onabort = lost;
    request.onload = () => {
      const envelope = read(request.responseText);
      if (envelope === null) lost();
      else if (envelope.code === 1) resolve(envelope.data);
      else reject(new CallError(envelope.error, envelope.msg, request.status, envelope.data, null));
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

function read(text: string): Envelope<HistoryFile> | null {
  try {
    return JSON.parse(text) as Envelope<HistoryFile>;
  } catch {
    return null;
  }
}
