import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";

export type { Logger };

/**
 * The program's own log: one JSON object per line on stdout. Never log addresses, tokens,
 * signatures, amounts next to a name, or message texts; the paths below are a safety net for that
 * rule, not a substitute for it. `to` takes the lines instead of stdout.
 */
export function createLogger(level: string, to?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        "token",
        "signature",
        "address",
        "message",
        "cookie",
        "*.token",
        "*.signature",
        "*.address",
        "*.cookie",
        "*.message",
      ],
      censor: "(left out)",
    },
    serializers: { err: (error: unknown) => describeError(error) },
  };
  return to ? pino(options, to) : pino(options);
}

/** How deep causes are followed. */
const causesMax = 5;

/**
 * An error's name, message and stack, its causes, and for a database error its code and where in
 * the database it arose; never the values. PostgreSQL's messages quote values (`invalid input
 * syntax for type integer: "…"`), so theirs are left out: the code says the same. In other
 * messages, quoted text and anything like a key or an address is cut, because `JSON.parse` and
 * `URL` quote their input.
 */
function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { text: withoutValues(String(error)) };
  const { name, message, stack, cause } = error;
  const { code, severity, ...rest }: Record<string, unknown> = Object.fromEntries(
    Object.entries(error),
  );
  const isPostgres = typeof severity === "string";
  const fields = isPostgres ? ["schema", "table", "column", "constraint", "routine"] : [];
  return {
    name,
    text: isPostgres ? undefined : withoutValues(message),
    stack: getFrames(stack),
    ...(typeof code === "string" ? { code } : {}),
    ...Object.fromEntries(fields.flatMap((key) => (rest[key] ? [[key, rest[key]]] : []))),
    ...(cause !== undefined && depth < causesMax ? { cause: describeError(cause, depth + 1) } : {}),
    ...(error instanceof AggregateError && depth < causesMax
      ? { errors: error.errors.slice(0, 10).map((error) => describeError(error, depth + 1)) }
      : {}),
  };
}

/** The calls of a stack without the message above them, which may have several lines. */
function getFrames(stack: string | undefined): string {
  return (stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}

function withoutValues(text: string): string {
  return text
    .replaceAll(/"[^"]*"?|`[^`]*`?|“[^”]*”?|(?<!\w)'[^']*'?/gs, "…")
    .replaceAll(/0x[0-9a-fA-F]{8,}|[\w-]{32,}|[^\s@]+@[^\s@]+\.[^\s@]+/g, "…")
    .slice(0, 500);
}
