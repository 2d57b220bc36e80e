/** RFC 4180; a text that a spreadsheet would take for a formula is written as text. */
export function csvCell(text: string): string {
  // A number is a number, below zero as well.
  const computed = /^[=+\-@\t\r\n|%]/.test(text.trimStart()) && !/^-\d+(\.\d+)?$/.test(text);
  const safe = computed ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
