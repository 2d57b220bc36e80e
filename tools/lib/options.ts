import { type ParseArgsConfig, parseArgs } from "node:util";
import { ToolError } from "./toolError.ts";

/** Like `parseArgs`, but throws a ToolError with the usage instead of a TypeError. */
export function parseOptions<const Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new ToolError(`${(error as Error).message}\n\n${usage}`);
  }
}

/**
 * The number that an option gives, or `fallback` if it is absent. Throws a ToolError for any other
 * text.
 */
export function parseWholeNumber(
  name: string,
  text: string | undefined,
  { from, to, fallback }: { from: number; to: number; fallback: number },
): number {
  if (text === undefined) return fallback;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= from && number <= to) return number;
  throw new ToolError(`--${name} must be a whole number from ${from} to ${to}.`);
}
