/**
 * JSON that keeps integers exact: milliseconds as numbers, other bigints as decimal strings, bytes
 * in hex.
 */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    function write(this: Record<string, unknown>, name, original) {
      // `Buffer.toJSON` would run before the replacer.
      const raw = this[name];
      if (raw instanceof Uint8Array) return Buffer.from(raw).toString("hex");
      if (typeof raw === "bigint") return name.endsWith("_ms") ? Number(raw) : raw.toString();
      return original;
    },
    indent,
  );
}
