import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MismatchError } from "./log/bytes.ts";

/** The vectors of docs/formats are all that this implementation shares with the other one. */
// biome-ignore lint/suspicious/noExplicitAny: each file has its own shape
export const vectors = (name: string): any =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../docs/formats/vectors/${name}.json`), "utf8"),
  );

/** The difference that a check throws, or null if it passes. */
export async function getDifference(run: () => unknown): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof MismatchError) return error.difference;
    throw error;
  }
}
