/** Offers a text, or bytes, as a file to keep. Works without a secure context. */
export function saveFile(name: string, content: BlobPart, type = "application/json"): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken the file by then.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
