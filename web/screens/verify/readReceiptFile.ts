import { parseReceiptText, receiptTextMax } from "#web/screens/verify/readReceiptText.ts";

export type ReceiptFileError =
  | "file_empty"
  | "file_is_folder"
  | "file_not_json"
  | "file_several"
  | "too_large"
  | "unreadable";

/** Reads the one file that was chosen or dropped; names what is wrong with it. */
export async function readReceiptFile(
  files: readonly Pick<File, "size" | "text">[],
): Promise<{ ok: true; receipt: unknown } | { ok: false; error: ReceiptFileError }> {
  const [file, ...otherFiles] = files;
  // A folder or a text that is dropped brings no file along.
  if (!file) return { ok: false, error: "file_is_folder" };
  if (otherFiles.length > 0) return { ok: false, error: "file_several" };
  if (file.size > receiptTextMax) return { ok: false, error: "too_large" };
  const text = await file.text().catch(() => null);
  if (text === null) return { ok: false, error: "unreadable" };
  const result = parseReceiptText(text);
  if (result.ok) return result;
  if (result.error === "too_large") return { ok: false, error: "too_large" };
  return { ok: false, error: result.error === "empty" ? "file_empty" : "file_not_json" };
}
