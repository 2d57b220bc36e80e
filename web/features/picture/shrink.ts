/**
 * Longer side in pixels of the uploaded picture: a larger one is no easier to read, and the server
 * keeps no more.
 */
const sideMax = 1_280;
const quality = 0.86;

/** A picture ready to upload. */
export interface PickedImage {
  /**
   * Re-encoded from its pixels where the browser can: smaller, and without location, device or name
   * in its metadata.
   */
  blob: Blob;
  /** Unique per picture, so that another picture gets another idempotency key. */
  number: number;
  /** Object URL for a preview; the caller revokes it. */
  url: string;
}

let pickCount = 0;

/**
 * Prepares a picture for upload; null when the file cannot be one. A browser that cannot re-encode
 * sends it as it is; the server makes its own checks.
 */
export async function preparePicture(file: Blob): Promise<PickedImage | null> {
  const blob = await shrink(file);
  if (!blob || blob.size === 0) return null;
  pickCount += 1;
  return { blob, number: pickCount, url: URL.createObjectURL(blob) };
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
      drawScaled(context, bitmap, width, height);
      return canvas.convertToBlob({ type: "image/jpeg", quality });
    }
  }
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return null;
  drawScaled(context, bitmap, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

function drawScaled(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  bitmap: ImageBitmap,
  width: number,
  height: number,
): void {
  // Transparent areas would turn black.
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
}
