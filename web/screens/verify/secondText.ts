/**
 * Parses "2026-01-05 12:00:07" (UTC, `T` or a space between, seconds optional) to milliseconds;
 * null otherwise.
 */
export function parseSecondText(text: string): number | null {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2}))?Z?$/.exec(text.trim());
  if (!match) return null;
  const atMs = Date.parse(`${match[1]}T${match[2]}:${match[3] ?? "00"}Z`);
  // 31 February is refused rather than moved into March.
  const isSame = !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(match[1]!);
  return isSame ? atMs : null;
}

/** Formats a second so that `parseSecondText` parses it. */
export function formatSecondText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
}
