import { createQrPath } from "#ui/qrPath.ts";

export interface QrImageTexts {
  practice: string;
  /** The coin, after the amount if one is asked for. */
  coinAmount: string;
  network: string;
  address: string;
}

/** Draws a PNG to share or save: the code with the practice mark above and the address below. */
export async function drawQrImage(text: string, words: QrImageTexts): Promise<Blob | null> {
  const { size, path } = createQrPath(text);
  const [width, height, band, edge] = [720, 940, 72, 60];
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, width, height);
  drawBand(pen, width, band);
  pen.fillStyle = "#12233b";
  pen.textAlign = "center";
  pen.font = "600 32px system-ui, sans-serif";
  pen.fillText(
    `${words.practice} · ${words.coinAmount} · ${words.network}`,
    width / 2,
    band + 56,
    width - edge,
  );
  pen.save();
  const scale = (width - 2 * edge) / size;
  pen.translate(edge, band + 84);
  pen.scale(scale, scale);
  pen.fillStyle = "#000000";
  pen.fill(new Path2D(path));
  pen.restore();
  pen.font = "24px ui-monospace, monospace";
  const halfLength = Math.ceil(words.address.length / 2);
  pen.fillText(words.address.slice(0, halfLength), width / 2, height - 78);
  pen.fillText(words.address.slice(halfLength), width / 2, height - 44);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** The hatched practice band, for images that leave the app. */
function drawBand(pen: CanvasRenderingContext2D, width: number, height: number): void {
  pen.save();
  pen.beginPath();
  pen.rect(0, 0, width, height - 30);
  pen.clip();
  pen.strokeStyle = "#12233b";
  pen.lineWidth = 10;
  for (let x = -height; x < width + height; x += 28) {
    pen.beginPath();
    pen.moveTo(x, height);
    pen.lineTo(x + height, 0);
    pen.stroke();
  }
  pen.restore();
}
