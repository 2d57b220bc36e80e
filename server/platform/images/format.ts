export type Format = "jpeg" | "png" | "webp";

/** Detects the format from the leading bytes; null if it is none of the three. */
export function detectFormat(bytes: Buffer): Format | null {
  if (bytes.length < 12) return null;
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "jpeg";
  if (bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))) return "png";
  const isRiff = bytes.toString("latin1", 0, 4) === "RIFF";
  return isRiff && bytes.toString("latin1", 8, 12) === "WEBP" ? "webp" : null;
}
