import type { IdentitySpecimen } from "#api/identity.ts";
import {
  drawAcross,
  drawBand,
  drawCode,
  drawText,
  softInk,
} from "#web/features/picture/specimenDrawing.ts";

/** The printed labels, in the person's language; values as they are on the document. */
export interface DocumentTexts {
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

export const sheet = { width: 1_080, height: 720, paper: "#f4efe2" };
const edge = 48;
const line = "#d3c8b2";

/** The area that a hasty photo leaves unreadable. */
const fields = { left: 300, top: 176, width: 430, height: 452 };

/**
 * Draws a specimen document: the practice mark along its top and across it, a figure, its fields,
 * its code. 1080 × 720.
 */
export function drawDocument(
  canvas: HTMLCanvasElement,
  specimen: IdentitySpecimen,
  words: DocumentTexts,
): void {
  canvas.width = sheet.width;
  canvas.height = sheet.height;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.fillStyle = sheet.paper;
  context.fillRect(0, 0, sheet.width, sheet.height);
  drawWaves(context);
  drawText(context, words.state, edge, 106, { size: 34, weight: 600, maxWidth: 660 });
  drawText(context, words.title, edge, 144, { size: 24, colour: softInk, maxWidth: 660 });
  drawFigure(context, edge, fields.top, 216, 270);
  drawRows(context, words.rows);
  if (specimen.print.blurred) blur(canvas, context);
  drawAcross(context, sheet, `${words.practice} · ${words.specimen}`, {
    size: 58,
    weight: 600,
    colour: "rgb(19 33 58 / 0.12)",
    maxWidth: 1_100,
    step: 150,
    angle: -Math.PI / 9,
  });
  drawBand(context, sheet, 52, words.practice);
  const right = sheet.width - edge;
  const room = right - fields.left - fields.width;
  drawCode(context, specimen.qr_text, room, (side) => right - side, fields.top);
  drawText(context, words.specimen.toUpperCase(), edge, 536, {
    size: 40,
    weight: 600,
    maxWidth: 216,
  });
  drawText(context, words.footer, edge, sheet.height - 34, {
    size: 22,
    colour: softInk,
    maxWidth: 984,
  });
  context.strokeStyle = line;
  context.lineWidth = 3;
  context.strokeRect(1.5, 1.5, sheet.width - 3, sheet.height - 3);
}

/** Faint wavy lines as on security paper; not the pattern of a real one. */
function drawWaves(context: CanvasRenderingContext2D): void {
  context.strokeStyle = "rgb(19 33 58 / 0.06)";
  context.lineWidth = 2;
  for (let y = 70; y < sheet.height; y += 18) {
    context.beginPath();
    for (let x = 0; x <= sheet.width; x += 12) {
      context.lineTo(x, y + 6 * Math.sin(x / 54 + y / 40));
    }
    context.stroke();
  }
}

/** A figure without likeness: head and shoulders in thin lines. */
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
  context.strokeStyle = softInk;
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

function drawRows(context: CanvasRenderingContext2D, rows: DocumentTexts["rows"]): void {
  const rowHeight = fields.height / rows.length;
  for (const [nth, { label, value }] of rows.entries()) {
    const y = fields.top + nth * rowHeight;
    drawText(context, label, fields.left, y + 22, {
      size: 20,
      colour: softInk,
      maxWidth: fields.width,
    });
    drawText(context, value, fields.left, y + 56, {
      size: 32,
      weight: 600,
      maxWidth: fields.width,
    });
  }
}

/** Scaled down and up again, with glare on top: the text is no longer readable. */
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
  const glareGradient = context.createLinearGradient(left, top + height, left + width, top);
  glareGradient.addColorStop(0.2, "rgb(255 255 255 / 0)");
  glareGradient.addColorStop(0.5, "rgb(255 255 255 / 0.85)");
  glareGradient.addColorStop(0.8, "rgb(255 255 255 / 0)");
  context.fillStyle = glareGradient;
  context.fillRect(left, top, width, height);
}
