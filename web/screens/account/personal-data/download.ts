import { ApiError } from "#api/client.ts";
import type { Envelope } from "#api/envelope.ts";
import { getExport } from "#api/routes/account.ts";
import { getSettings } from "#web/lib/settings.ts";

/**
 * Downloads the archive of everything held about the person; `onBytes` is called with the bytes
 * received so far. Throws when the connection breaks, so that no truncated archive is ever saved.
 */
export async function downloadExport(
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<{ name: string; archive: Blob }> {
  const response = await ask(signal);
  if (!response.ok || !response.body) throw await toApiError(response);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    onBytes(bytes);
  }
  const disposition = response.headers.get("content-disposition") ?? "";
  const name = /filename="?([\w.-]+)"?/.exec(disposition)?.[1] ?? "drydock-export.zip";
  return { name, archive: new Blob(chunks, { type: "application/zip" }) };
}

async function ask(signal: AbortSignal): Promise<Response> {
  try {
    const headers = { language: getSettings().language };
    return await fetch(getExport.path, { headers, credentials: "same-origin", signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError("network.failed", "network.failed", 0);
  }
}

async function toApiError(response: Response): Promise<ApiError> {
  const envelope = (await response.json().catch(() => null)) as Envelope<never> | null;
  return envelope && envelope.code !== 1
    ? new ApiError(envelope.error, envelope.msg, response.status, envelope.data)
    : new ApiError("network.failed", "network.failed", response.status);
}
