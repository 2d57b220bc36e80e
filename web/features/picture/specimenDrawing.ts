import { encode } from "uqr";

/**
 * Shared properties of the drawings of practice documents, so that each is recognisable
 * immediately.
 */
const ink = "#13213a";
export const softInk = "#46526a";
const fontFamily =
  '"Drydock Sans", "Drydock Sans Fallback", system-ui, "Hiragino Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif';

/** A sheet of paper; sizes in pixels. */
export interface PaperSheet {
  width: number;
  height: number;
  paper: string;
}

export interface TextStyle {
  size: number;
  weight?: 400 | 600;
  colour?: string;
  /** Letter spacing in pixels. */
  spacing?: number;
  /** Maximum width; wider text is condensed to fit. */
  maxWidth: number;
}

export function drawText(
  context: CanvasRenderingContext2D,
  value: string,
  x: number,
  y: number,
  { size, weight = 400, colour = ink, spacing = 0, maxWidth }: TextStyle,
): void {
  context.fillStyle = colour;
  context.font = `${weight} ${size}px ${fontFamily}`;
  if ("letterSpacing" in context) context.letterSpacing = `${spacing}px`;
  context.fillText(value, x, y, maxWidth);
  if ("letterSpacing" in context) context.letterSpacing = "0px";
}

/** The hatched practice band along the top edge, `tall` pixels high, with `word` in it. */
export function drawBand(
  context: CanvasRenderingContext2D,
  { width, paper }: PaperSheet,
  bandHeight: number,
  word: string,
  spacing = 0,
): void {
  const text = word.toUpperCase();
  context.save();
  context.beginPath();
  context.rect(0, 0, width, bandHeight);
  context.clip();
  context.fillStyle = paper;
  context.fillRect(0, 0, width, bandHeight);
  context.strokeStyle = ink;
  context.lineWidth = 3;
  for (let x = -bandHeight; x < width; x += 14) {
    context.beginPath();
    context.moveTo(x, bandHeight);
    context.lineTo(x + bandHeight, 0);
    context.stroke();
  }
  context.restore();
  context.font = `600 26px ${fontFamily}`;
  const room = context.measureText(text).width + 90;
  context.fillStyle = paper;
  context.fillRect((width - room) / 2, 0, room, bandHeight);
  context.textAlign = "center";
  drawText(context, text, width / 2, bandHeight / 2 + 9, {
    size: 26,
    weight: 600,
    spacing,
    maxWidth: room,
  });
  context.textAlign = "left";
}

/**
 * Repeats the words five times across the whole sheet, `step` pixels apart, so that every crop
 * contains them.
 */
export function drawAcross(
  context: CanvasRenderingContext2D,
  { width, height }: PaperSheet,
  words: string,
  { step, angle, ...style }: TextStyle & { step: number; angle: number },
): void {
  context.save();
  context.translate(width / 2, height / 2);
  context.rotate(angle);
  context.textAlign = "center";
  for (const offset of [-2, -1, 0, 1, 2]) drawText(context, words, 0, offset * step, style);
  context.restore();
}

/**
 * A QR code in a square of at most `room` pixels; `getLeft` computes its left edge from its actual
 * side. Whole pixels per module, on white with its quiet zone, so that it scans reliably.
 */
export function drawCode(
  context: CanvasRenderingContext2D,
  value: string,
  room: number,
  getLeft: (side: number) => number,
  top: number,
): void {
  const { data } = encode(value, { ecc: "M", border: 4 });
  const module = Math.max(1, Math.floor(room / data.length));
  const side = module * data.length;
  const left = getLeft(side);
  context.fillStyle = "#ffffff";
  context.fillRect(left, top, side, side);
  context.fillStyle = "#000000";
  for (const [y, row] of data.entries()) {
    for (const [x, dark] of row.entries()) {
      if (dark) context.fillRect(left + x * module, top + y * module, module, module);
    }
  }
}

/** Encodes the sheet as a PNG, or as a JPEG for people who prefer that. */
export function drawImage(
  canvas: HTMLCanvasElement,
  type: "image/png" | "image/jpeg",
): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be encoded"))),
      type,
      0.92,
    );
  });
}
