import { encode } from "uqr";
import type { Voucher } from "#api/recharge.ts";

/** What is printed, in the person's language. */
export interface VoucherWords {
  /** "Practice", for the band across the sheet. */
  practice: string;
  specimen: string;
  title: string;
  /** "Worth nothing. No bank issued this." */
  footer: string;
  rows: readonly { label: string; value: string }[];
}

const width = 720;
const height = 1_120;
const edge = 48;
const paper = "#fffbf4";
const ink = "#13213a";
const soft = "#46526a";
const line = "#dcd3c1";
const family =
  '"Drydock Sans", "Drydock Sans Fallback", system-ui, "Hiragino Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif';

/** Draws a specimen voucher: the practice mark along its top and across it, its fields, its code. 720 × 1120. */
export function drawVoucher(
  canvas: HTMLCanvasElement,
  voucher: Voucher,
  words: VoucherWords,
): void {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  drawBand(context, words.practice);
  drawAcross(context, `${words.practice} · ${words.specimen}`);
  context.textBaseline = "alphabetic";
  text(context, words.title, edge, 128, 26, 400, soft);
  text(context, words.specimen.toUpperCase(), edge, 176, 40, 600, ink, "5px");
  text(context, `${voucher.amount} ${voucher.coin}`, edge, 262, 64, 600, ink);
  const bottom = drawRows(context, words.rows, 300);
  drawCode(context, voucher.qr_text, bottom + 28);
  drawFooter(context, words.footer);
  context.strokeStyle = line;
  context.lineWidth = 2;
  context.strokeRect(1, 1, width - 2, height - 2);
}

function text(
  context: CanvasRenderingContext2D,
  value: string,
  x: number,
  y: number,
  size: number,
  weight: 400 | 600,
  colour: string,
  spacing = "0px",
  room = width - 2 * edge,
): void {
  context.fillStyle = colour;
  context.font = `${weight} ${size}px ${family}`;
  if ("letterSpacing" in context) context.letterSpacing = spacing;
  context.fillText(value, x, y, room);
  if ("letterSpacing" in context) context.letterSpacing = "0px";
}

/** The hatched shores along the top edge, with the word in them. */
function drawBand(context: CanvasRenderingContext2D, word: string): void {
  const tall = 56;
  context.save();
  context.beginPath();
  context.rect(0, 0, width, tall);
  context.clip();
  context.strokeStyle = ink;
  context.lineWidth = 3;
  for (let x = -tall; x < width; x += 14) {
    context.beginPath();
    context.moveTo(x, tall);
    context.lineTo(x + tall, 0);
    context.stroke();
  }
  context.restore();
  context.font = `600 26px ${family}`;
  const wide = context.measureText(word.toUpperCase()).width + 90;
  context.fillStyle = paper;
  context.fillRect((width - wide) / 2, 0, wide, tall);
  context.textAlign = "center";
  text(context, word.toUpperCase(), width / 2, 37, 26, 600, ink, "4px");
  context.textAlign = "left";
}

/** Across the whole sheet, beneath what is printed: no crop of it is without. */
function drawAcross(context: CanvasRenderingContext2D, words: string): void {
  context.save();
  context.translate(width / 2, height / 2);
  context.rotate(-Math.PI / 7);
  context.textAlign = "center";
  for (const y of [-420, -210, 0, 210, 420]) {
    text(context, words, 0, y, 60, 600, "rgb(19 33 58 / 0.075)", "6px", 1_200);
  }
  context.restore();
}

function drawRows(
  context: CanvasRenderingContext2D,
  rows: VoucherWords["rows"],
  top: number,
): number {
  let y = top;
  for (const { label, value } of rows) {
    context.fillStyle = line;
    context.fillRect(edge, y, width - 2 * edge, 2);
    text(context, label, edge, y + 37, 24, 400, soft, "0px", 250);
    context.textAlign = "right";
    text(context, value, width - edge, y + 37, 24, 600, ink, "0px", 360);
    context.textAlign = "left";
    y += 54;
  }
  context.fillStyle = line;
  context.fillRect(edge, y, width - 2 * edge, 2);
  return y;
}

/** Whole pixels a module, on white with its quiet zone: what is drawn sharply is read surely. */
function drawCode(context: CanvasRenderingContext2D, value: string, top: number): void {
  const { data } = encode(value, { ecc: "M", border: 4 });
  const room = height - top - 96;
  const module = Math.max(1, Math.floor(Math.min(room, width - 2 * edge) / data.length));
  const left = Math.round((width - module * data.length) / 2);
  context.fillStyle = "#ffffff";
  context.fillRect(left, top, module * data.length, module * data.length);
  context.fillStyle = "#000000";
  for (const [y, row] of data.entries()) {
    for (const [x, dark] of row.entries()) {
      if (dark) context.fillRect(left + x * module, top + y * module, module, module);
    }
  }
}

function drawFooter(context: CanvasRenderingContext2D, words: string): void {
  context.textAlign = "center";
  text(context, words, width / 2, height - 40, 22, 400, soft);
  context.textAlign = "left";
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
