import { encode } from "uqr";

const border = 2;

/** A QR code as one SVG path on a square of `size` modules, with its quiet zone. */
export function createQrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border });
  const path = data
    .flatMap((line, y) => line.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return { size, path };
}
