import {
  decodeJsonBody,
  encodeJsonLeaf,
  ensure,
  requireKeys,
} from "#core/transparency-log/leaf.ts";
import { ByteReader, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/** A world that was asleep woke: why seconds are missing (docs/formats/log.md). */
export interface SleepLeaf {
  world: string;
  /** World time of the last second that was closed before. */
  lastSecondMs: number;
  /** World time at which it woke. */
  wokeAtMs: number;
}

/** Throws a RangeError for values a decoder would refuse. */
export function encodeSleep({ world, lastSecondMs, wokeAtMs }: SleepLeaf): Uint8Array {
  const labels = { practice: true, backing: "none", world } as const;
  const times = { last_second_ms: lastSecondMs, woke_at_ms: wokeAtMs };
  const bytes = encodeJsonLeaf("sleep", { ...labels, ...times });
  if (!decodeSleep(bytes, null).ok) throw new RangeError("not a valid sleep");
  return bytes;
}

/** Reads a `sleep` leaf of the world with this tag (null: of any world). */
export function decodeSleep(bytes: Uint8Array, tag: Uint8Array | null): Decoded<SleepLeaf> {
  return tryDecode(() => {
    const { body } = decodeJsonBody(new ByteReader(bytes), "sleep", tag);
    requireKeys(body, ["practice", "backing", "world", "last_second_ms", "woke_at_ms"]);
    const { last_second_ms: last, woke_at_ms: woke } = body;
    ensure(Number.isSafeInteger(last) && Number.isSafeInteger(woke));
    const [lastSecondMs, wokeAtMs] = [Number(last), Number(woke)];
    ensure(lastSecondMs >= 0 && lastSecondMs % 1_000 === 0 && wokeAtMs > lastSecondMs);
    return { world: body.world, lastSecondMs, wokeAtMs };
  });
}
