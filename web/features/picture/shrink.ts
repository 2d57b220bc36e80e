/**
 * Longer side of what is sent: more helps nobody read the code. The server keeps no more either.
 */
const sideMax = 1_280;
const quality = 0.86;

/** A picture ready to be sent. */
export interface Picked {
  /**
   * Made anew from the pixels where the browser can do that: smaller, and without place, device or
   * name in it.
   */
  blob: Blob;
  /** Of this picture alone, so that another one is another intent. */
  number: number;
  /** Address for a preview; to be revoked. */
  url: string;
}

let picked = 0;

/**
 * Null when the file cannot be a picture. A browser without the means sends it as it is; the server
 * checks for itself.
 */
export async function pick(file: Blob): Promise<Picked | null> {
  const blob = await shrink(file);
  if (!blob || blob.size === 0) return null;
  picked += 1;
  return { blob, number: picked, url: URL.createObjectURL(blob) };
}

const canSend = ["image/jpeg", "image/png", "image/webp"];

async function shrink(file: Blob): Promise<Blob | null> {
  if (typeof createImageBitmap !== "function") return canSend.includes(file.type) ? file : null;
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return null;
  }
  try {
    const scale = Math.min(1, sideMax / Math.max(bitmap.width, bitmap.height));
    const width = Math.max(1, Math.round(bitmap.width * scale));
    const height = Math.max(1, Math.round(bitmap.height * scale));
    return await draw(bitmap, width, height);
  } finally {
    bitmap.close();
  }
}

async function draw(bitmap: ImageBitmap, width: number, height: number): Promise<Blob | null> {
  if (typeof OffscreenCanvas === "function") {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    if (context) {
      paint(context, bitmap, width, height);
      return canvas.convertToBlob({ type: "image/jpeg", quality });
    }
  }
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return null;
  paint(context, bitmap, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

function paint(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  bitmap: ImageBitmap,
  width: number,
  height: number,
): void {
  // What is transparent would turn black.
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
}
