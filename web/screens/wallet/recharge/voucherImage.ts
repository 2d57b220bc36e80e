import type { Voucher } from "#api/recharge.ts";
import {
  drawAcross,
  drawBand,
  drawCode,
  drawText,
  softInk,
} from "#web/features/picture/specimenDrawing.ts";

/** The printed labels, in the person's language. */
export interface VoucherTexts {
  /** "Practice", for the band across the sheet. */
  practice: string;
  specimen: string;
  title: string;
  /** "Worth nothing. No bank issued this." */
  footer: string;
  rows: readonly { label: string; value: string }[];
}

const sheet = { width: 720, height: 1_120, paper: "#fffbf4" };
const { width, height } = sheet;
const edge = 48;
const inner = width - 2 * edge;
const line = "#dcd3c1";

/**
 * Draws a specimen voucher: the practice mark along its top and across it, its fields, its code.
 * 720 × 1120.
 */
export function drawVoucher(
  canvas: HTMLCanvasElement,
  voucher: Voucher,
  words: VoucherTexts,
): void {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.fillStyle = sheet.paper;
  context.fillRect(0, 0, width, height);
  drawBand(context, sheet, 56, words.practice, 4);
  // Below the printed text.
  drawAcross(context, sheet, `${words.practice} · ${words.specimen}`, {
    size: 60,
    weight: 600,
    colour: "rgb(19 33 58 / 0.075)",
    spacing: 6,
    maxWidth: 1_200,
    step: 210,
    angle: -Math.PI / 7,
  });
  context.textBaseline = "alphabetic";
  const title = { size: 40, weight: 600, spacing: 5, maxWidth: inner } as const;
  drawText(context, words.title, edge, 128, { size: 26, colour: softInk, maxWidth: inner });
  drawText(context, words.specimen.toUpperCase(), edge, 176, title);
  const amount = `${voucher.amount} ${voucher.coin}`;
  drawText(context, amount, edge, 262, { size: 64, weight: 600, maxWidth: inner });
  const bottom = drawRows(context, words.rows, 300);
  const top = bottom + 28;
  const room = Math.min(height - top - 96, inner);
  drawCode(context, voucher.qr_text, room, (side) => Math.round((width - side) / 2), top);
  drawFooter(context, words.footer);
  context.strokeStyle = line;
  context.lineWidth = 2;
  context.strokeRect(1, 1, width - 2, height - 2);
}

function drawRows(
  context: CanvasRenderingContext2D,
  rows: VoucherTexts["rows"],
  top: number,
): number {
  let y = top;
  for (const { label, value } of rows) {
    context.fillStyle = line;
    context.fillRect(edge, y, inner, 2);
    drawText(context, label, edge, y + 37, { size: 24, colour: softInk, maxWidth: 250 });
    context.textAlign = "right";
    drawText(context, value, width - edge, y + 37, { size: 24, weight: 600, maxWidth: 360 });
    context.textAlign = "left";
    y += 54;
  }
  context.fillStyle = line;
  context.fillRect(edge, y, inner, 2);
  return y;
}

function drawFooter(context: CanvasRenderingContext2D, words: string): void {
  context.textAlign = "center";
  drawText(context, words, width / 2, height - 40, { size: 22, colour: softInk, maxWidth: inner });
  context.textAlign = "left";
}
