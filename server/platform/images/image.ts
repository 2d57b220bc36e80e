import sharp from "sharp";
import { heldPixelsMax, picturePixelsMax } from "#core/recharge/recharge.ts";
import { detectFormat } from "#server/platform/images/format.ts";

/**
 * A decoded picture: upright sRGB without alpha, its longer side at most `sideMax`. Nothing else of
 * the file survives.
 */
export interface Picture {
  /** Three bytes per pixel, row by row. */
  rgb: Buffer;
  width: number;
  height: number;
}

/**
 * Longer side of the picture that is examined and stored: a QR code printed on a page still has
 * well over a pixel per module.
 */
const sideMax = 1_280;
const decodeSeconds = 10;

// One picture at a time, no caching: hostile pictures aim at memory.
sharp.concurrency(1);
sharp.cache(false);
// No other loader can be reached, regardless of a file's claimed type.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"],
});

/**
 * Why a picture was rejected. `type`: none of the three formats, by content. `pixels`: more than
 * `picturePixelsMax`, or 8 million where only the whole can be decoded; checked before decoding.
 */
export type PictureErrorCode = "type" | "pixels" | "animated" | "damaged";

export class PictureError extends Error {
  readonly fault: PictureErrorCode;
  constructor(code: PictureErrorCode) {
    super(`picture rejected: ${code}`);
    this.fault = code;
  }
}

/** Decodes a JPEG, PNG or WebP. Throws PictureError. */
export async function decodePicture(bytes: Buffer): Promise<Picture> {
  const format = detectFormat(bytes);
  if (format === null) throw new PictureError("type");
  const options = { limitInputPixels: picturePixelsMax, failOn: "warning" as const };
  const { width, height, pages, orientation, ...header } = await sharp(bytes, {
    ...options,
    limitInputPixels: false,
  })
    .metadata()
    .catch(() => {
      throw new PictureError("damaged");
    });
  if (header.format !== format) throw new PictureError("type");
  const isHeld = header.isProgressive === true || format === "webp";
  if (width * height > (isHeld ? heldPixelsMax : picturePixelsMax))
    throw new PictureError("pixels");
  if ((pages ?? 1) > 1) throw new PictureError("animated");
  try {
    // Shrunk while it is read, so that the whole picture is never in memory; rotated upright
    // afterwards.
    const small = await sharp(bytes, { ...options, sequentialRead: true })
      .resize(sideMax, sideMax, { fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .removeAlpha()
      .timeout({ seconds: decodeSeconds })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return await applyOrientation(small.data, small.info, orientation ?? 1);
  } catch {
    throw new PictureError("damaged");
  }
}

/** Rotates by the EXIF orientation, 1 to 8, and expands one channel to three. */
async function applyOrientation(
  data: Buffer,
  { width, height, channels }: { width: number; height: number; channels: 1 | 2 | 3 | 4 },
  orientation: number,
): Promise<Picture> {
  const turns = [0, 0, 0, 180, 180, 90, 90, 270, 270][orientation] ?? 0;
  const mirrored = [2, 4, 5, 7].includes(orientation);
  let image = sharp(data, { raw: { width, height, channels } });
  if (mirrored) image = image.flop();
  if (turns !== 0) image = sharp(await image.png({ compressionLevel: 0 }).toBuffer()).rotate(turns);
  const buffer = await image
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { rgb: buffer.data, width: buffer.info.width, height: buffer.info.height };
}

/**
 * The picture as stored: WebP encoded again from the pixels, so that it carries no metadata and no
 * appended data.
 */
export async function encodePicture({ rgb, width, height }: Picture): Promise<Buffer> {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .webp({ quality: 80, effort: 3 })
    .timeout({ seconds: decodeSeconds })
    .toBuffer();
}

/**
 * The picture with its longer side at most `side`: noise averages out, which may make a code
 * readable.
 */
export async function shrinkPicture(picture: Picture, side: number): Promise<Picture> {
  const { rgb, width, height } = picture;
  if (Math.max(width, height) <= side) return picture;
  const { data, info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(side, side, { fit: "inside" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { rgb: data, width: info.width, height: info.height };
}
