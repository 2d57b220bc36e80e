/** Only an error's name and code: its message may contain what a person typed. */
export function getErrorKind(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as { code?: unknown };
  return (typeof code === "string" ? `${error.name} ${code}` : error.name).slice(0, 80);
}
