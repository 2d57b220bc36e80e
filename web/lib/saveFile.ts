/** Saves text or bytes as a file download. Works outside a secure context. */
export function saveFile(name: string, content: BlobPart, type = "application/json"): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // By then the browser has read the file.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
