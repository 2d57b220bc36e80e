import { createQrPath } from "#ui/qrPath.ts";

export interface ShareImageTexts {
  mark: string;
  title: string;
  code: string;
  host: string;
}

const ink = "#13213a";
const paper = "#f8f1e4";
const [width, height, band] = [1080, 1350, 120];

/** The picture to share: the practice band, what it is for, the code. No results and no amounts. */
export async function drawShareImage(link: string, texts: ShareImageTexts): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  const family = getComputedStyle(document.body).fontFamily;
  pen.fillStyle = paper;
  pen.fillRect(0, 0, width, height);
  drawBand(pen, texts.mark, family);
  pen.fillStyle = ink;
  pen.textAlign = "center";
  pen.font = `600 64px ${family}`;
  pen.fillText("Drydock", width / 2, 230);
  pen.font = `400 42px ${family}`;
  pen.fillText(texts.title, width / 2, 305, width - 120);
  const { size, path } = createQrPath(link);
  const side = 720;
  pen.fillStyle = "#ffffff";
  pen.fillRect((width - side) / 2, 365, side, side);
  pen.save();
  pen.translate((width - side) / 2, 365);
  pen.scale(side / size, side / size);
  pen.fillStyle = "#000000";
  pen.fill(new Path2D(path));
  pen.restore();
  pen.fillStyle = ink;
  pen.font = "600 64px ui-monospace, monospace";
  pen.fillText(texts.code, width / 2, 1185);
  pen.font = `400 36px ${family}`;
  pen.fillText(texts.host, width / 2, 1250, width - 120);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** The hatched practice band, with its word. */
function drawBand(pen: CanvasRenderingContext2D, mark: string, family: string): void {
  pen.save();
  pen.beginPath();
  pen.rect(0, 0, width, band);
  pen.clip();
  pen.strokeStyle = ink;
  pen.lineWidth = 7;
  for (let x = -band; x < width + band; x += 32) {
    pen.beginPath();
    pen.moveTo(x, band);
    pen.lineTo(x + band, 0);
    pen.stroke();
  }
  pen.font = `600 40px ${family}`;
  const room = Math.min(pen.measureText(mark).width, width - 160) + 64;
  pen.fillStyle = paper;
  pen.fillRect((width - room) / 2, 0, room, band);
  pen.fillStyle = ink;
  pen.textAlign = "center";
  pen.fillText(mark, width / 2, band / 2 + 14, width - 160);
  pen.restore();
  pen.fillStyle = ink;
  pen.fillRect(0, band, width, 3);
}
