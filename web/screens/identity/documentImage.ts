import { encode } from "uqr";
import type { IdentitySpecimen } from "#api/identity.ts";

/** What is printed, in the person's language; values as they stand on the document. */
export interface DocumentWords {
  /** "Practice", for the band across the sheet. */
  practice: string;
  specimen: string;
  /** The state's own name for itself. */
  state: string;
  title: string;
  /** "No such state exists." */
  footer: string;
  rows: readonly { label: string; value: string }[];
}

export const documentWidth = 1_080;
export const documentHeight = 720;
const edge = 48;
const band = 52;
const paper = "#f4efe2";
const ink = "#13213a";
const soft = "#46526a";
const line = "#d3c8b2";
const family =
  '"Drydock Sans", "Drydock Sans Fallback", system-ui, "Hiragino Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif';

/** The part that a hasty photo would not show. */
const fields = { left: 300, top: 176, width: 430, height: 452 };

/** Draws a specimen document: the practice mark along its top and across it, a figure, its fields, its code. 1080 × 720. */
export function drawDocument(
  canvas: HTMLCanvasElement,
  specimen: IdentitySpecimen,
  words: DocumentWords,
): void {
  canvas.width = documentWidth;
  canvas.height = documentHeight;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.fillStyle = paper;
  context.fillRect(0, 0, documentWidth, documentHeight);
  drawWaves(context);
  text(context, words.state, edge, 106, { size: 34, weight: 600, room: 660 });
  text(context, words.title, edge, 144, { size: 24, colour: soft, room: 660 });
  drawFigure(context, edge, fields.top, 216, 270);
  drawRows(context, words.rows);
  if (specimen.print.blurred) blur(canvas, context);
  drawAcross(context, `${words.practice} · ${words.specimen}`);
  drawBand(context, words.practice);
  drawCode(context, specimen.qr_text);
  text(context, words.specimen.toUpperCase(), edge, 536, { size: 40, weight: 600, room: 216 });
  text(context, words.footer, edge, documentHeight - 34, { size: 22, colour: soft, room: 984 });
  context.strokeStyle = line;
  context.lineWidth = 3;
  context.strokeRect(1.5, 1.5, documentWidth - 3, documentHeight - 3);
}

interface TextLook {
  size: number;
  weight?: 400 | 600;
  colour?: string;
  room: number;
}

function text(
  context: CanvasRenderingContext2D,
  value: string,
  x: number,
  y: number,
  { size, weight = 400, colour = ink, room }: TextLook,
): void {
  context.fillStyle = colour;
  context.font = `${weight} ${size}px ${family}`;
  context.fillText(value, x, y, room);
}

/** Quiet water lines, as security paper has them; no pattern of a real one. */
function drawWaves(context: CanvasRenderingContext2D): void {
  context.strokeStyle = "rgb(19 33 58 / 0.06)";
  context.lineWidth = 2;
  for (let y = 70; y < documentHeight; y += 18) {
    context.beginPath();
    for (let x = 0; x <= documentWidth; x += 12) {
      context.lineTo(x, y + 6 * Math.sin(x / 54 + y / 40));
    }
    context.stroke();
  }
}

/** The hatched shores along the top edge, with the word in them. */
function drawBand(context: CanvasRenderingContext2D, word: string): void {
  context.save();
  context.beginPath();
  context.rect(0, 0, documentWidth, band);
  context.clip();
  context.fillStyle = paper;
  context.fillRect(0, 0, documentWidth, band);
  context.strokeStyle = ink;
  context.lineWidth = 3;
  for (let x = -band; x < documentWidth; x += 14) {
    context.beginPath();
    context.moveTo(x, band);
    context.lineTo(x + band, 0);
    context.stroke();
  }
  context.restore();
  context.font = `600 26px ${family}`;
  const wide = context.measureText(word.toUpperCase()).width + 90;
  context.fillStyle = paper;
  context.fillRect((documentWidth - wide) / 2, 0, wide, band);
  context.textAlign = "center";
  text(context, word.toUpperCase(), documentWidth / 2, 35, { size: 26, weight: 600, room: wide });
  context.textAlign = "left";
}

/** Across the whole sheet: no crop of it is without. */
function drawAcross(context: CanvasRenderingContext2D, words: string): void {
  context.save();
  context.translate(documentWidth / 2, documentHeight / 2);
  context.rotate(-Math.PI / 9);
  context.textAlign = "center";
  for (const y of [-300, -150, 0, 150, 300]) {
    text(context, words, 0, y, {
      size: 58,
      weight: 600,
      colour: "rgb(19 33 58 / 0.12)",
      room: 1_100,
    });
  }
  context.restore();
}

/** Nobody: head and shoulders in thin lines. */
function drawFigure(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.fillStyle = "#fffbf4";
  context.fill();
  context.clip();
  context.strokeStyle = soft;
  context.lineWidth = 4;
  const middle = x + width / 2;
  context.beginPath();
  context.ellipse(middle, y + height * 0.38, width * 0.19, height * 0.19, 0, 0, 2 * Math.PI);
  context.stroke();
  context.beginPath();
  context.ellipse(middle, y + height * 1.02, width * 0.38, height * 0.36, 0, Math.PI, 2 * Math.PI);
  context.stroke();
  context.restore();
  context.strokeStyle = line;
  context.lineWidth = 3;
  context.strokeRect(x, y, width, height);
}

function drawRows(context: CanvasRenderingContext2D, rows: DocumentWords["rows"]): void {
  const tall = fields.height / rows.length;
  for (const [nth, { label, value }] of rows.entries()) {
    const y = fields.top + nth * tall;
    text(context, label, fields.left, y + 22, { size: 20, colour: soft, room: fields.width });
    text(context, value, fields.left, y + 56, { size: 32, weight: 600, room: fields.width });
  }
}

/** Made small and large again, with glare over it: what was there cannot be read any more. */
function blur(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D): void {
  const { left, top, width, height } = fields;
  const small = document.createElement("canvas");
  small.width = Math.round(width / 16);
  small.height = Math.round(height / 16);
  const pen = small.getContext("2d");
  if (!pen) return;
  pen.drawImage(canvas, left, top, width, height, 0, 0, small.width, small.height);
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = "high";
  context.drawImage(small, 0, 0, small.width, small.height, left, top, width, height);
  const glare = context.createLinearGradient(left, top + height, left + width, top);
  glare.addColorStop(0.2, "rgb(255 255 255 / 0)");
  glare.addColorStop(0.5, "rgb(255 255 255 / 0.85)");
  glare.addColorStop(0.8, "rgb(255 255 255 / 0)");
  context.fillStyle = glare;
  context.fillRect(left, top, width, height);
}

/** Whole pixels a module, on white with its quiet zone: what is drawn sharply is read surely. */
function drawCode(context: CanvasRenderingContext2D, value: string): void {
  const { data } = encode(value, { ecc: "M", border: 4 });
  const room = documentWidth - fields.left - fields.width - edge;
  const module = Math.max(1, Math.floor(room / data.length));
  const left = documentWidth - edge - module * data.length;
  const top = fields.top;
  context.fillStyle = "#ffffff";
  context.fillRect(left, top, module * data.length, module * data.length);
  context.fillStyle = "#000000";
  for (const [y, row] of data.entries()) {
    for (const [x, dark] of row.entries()) {
      if (dark) context.fillRect(left + x * module, top + y * module, module, module);
    }
  }
}

/** The sheet as a PNG, or as a JPEG for those who save pictures so. */
export function imageOf(
  canvas: HTMLCanvasElement,
  type: "image/png" | "image/jpeg",
): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))),
      type,
      0.92,
    );
  });
}
