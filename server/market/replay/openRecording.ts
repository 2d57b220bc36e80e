import {
  type Recording,
  readRecording,
  requireStartInside,
} from "#server/market/replay/recording.ts";
import type { Config } from "#server/platform/config/config.ts";

/**
 * Reads the configured recording in full and checks that the world's start lies inside it; null for
 * other markets.
 */
export async function openRecording({
  market,
  worldStartMs,
}: Pick<Config, "market" | "worldStartMs">): Promise<Recording | null> {
  if (market?.kind !== "replay") return null;
  const recording = await readRecording(market.folder);
  if (worldStartMs !== null) requireStartInside(recording, worldStartMs);
  return recording;
}
