import { type Logger, pino } from "pino";

export type { Logger };

/**
 * The program's own log, one JSON object a line on stdout. Never write addresses, tokens,
 * signatures, amounts with a name beside them or message texts to it; the paths below are a net
 * under that rule, not a replacement for it.
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

/** Of an error its name, message and stack, and a database error's code; not the values in it. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { text: String(error) };
  const { name, stack } = error;
  const code = (error as { code?: unknown }).code;
  return { name, stack, ...(typeof code === "string" ? { code } : {}) };
}
