import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export { bytesToHex, concatBytes, hexToBytes, utf8ToBytes };

/** Compares two byte strings. Not constant-time: nothing compared here is secret. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Parses 64 lower-case hex digits as a hash; null for anything else. */
export function parseHash(text: unknown): Uint8Array | null {
  return typeof text === "string" && /^[0-9a-f]{64}$/.test(text) ? hexToBytes(text) : null;
}

/** Decodes strict UTF-8; null for malformed bytes. */
export function bytesToUtf8(bytes: Uint8Array): string | null {
  let escaped = "";
  for (const byte of bytes) escaped += `%${byte.toString(16).padStart(2, "0")}`;
  try {
    return decodeURIComponent(escaped);
  } catch {
    return null;
  }
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Encodes standard base64 with padding (RFC 4648, section 4). */
export function bytesToBase64(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const remaining = bytes.length - index;
    const group = (bytes[index]! << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    text += alphabet[group >> 18]! + alphabet[(group >> 12) & 63]!;
    text += remaining > 1 ? alphabet[(group >> 6) & 63]! : "=";
    text += remaining > 2 ? alphabet[group & 63]! : "=";
  }
  return text;
}

/** Decodes standard base64; null unless it is padded, canonical and free of other characters. */
export function base64ToBytes(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let index = 0, out = 0; index < text.length; index += 4) {
    let group = 0;
    for (const letter of text.slice(index, index + 4)) {
      group = (group << 6) | Math.max(alphabet.indexOf(letter), 0);
    }
    for (const shift of [16, 8, 0]) {
      if (out < bytes.length) bytes[out++] = (group >> shift) & 255;
    }
  }
  // Non-zero padding bits would be a second encoding of the same bytes.
  return bytesToBase64(bytes) === text ? bytes : null;
}
