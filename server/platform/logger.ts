import { type Logger, pino } from "pino";

export type { Logger };

/**
 * The program's own log: one JSON object per line on stdout. Never log addresses, tokens,
 * signatures, amounts next to a name, or message texts; the paths below are a safety net for that
 * rule, not a substitute for it.
 */
export function createLogger(level: string): Logger {
  return pino({
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
    serializers: { err: describeError },
  });
}

/**
 * An error's name, message and stack, plus the code of a database error; never the values in it.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { text: String(error) };
  const { name, stack } = error;
  const code = (error as { code?: unknown }).code;
  return { name, stack, ...(typeof code === "string" ? { code } : {}) };
}
