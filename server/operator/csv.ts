/** RFC 4180; text that a spreadsheet would evaluate as a formula is written as text. */
export function toCsvCell(text: string): string {
  // Negative numbers stay numbers.
  const computed = /^[=+\-@\t\r\n|%]/.test(text.trimStart()) && !/^-\d+(\.\d+)?$/.test(text);
  const safe = computed ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
