import { decodeQR } from "qr/decode.js";
import {
  decodePicture,
  encodePicture,
  type Picture,
  PictureError,
  shrinkPicture,
} from "#server/platform/images/image.ts";
import type { DecodeRequest, DecodeResult } from "#server/platform/images/imageDecoder.ts";

/**
 * A separate process that decodes pictures and reads their QR codes: a hostile picture cannot
 * exhaust the memory or CPU of anything else, and all of it is reclaimed when this process ends. It
 * exits when its parent does.
 */

/**
 * Longer sides tried in turn until a code is found; the time budget of a search, in milliseconds.
 */
const sides = [1_280, 800, 500];
const searchMs = 700;
/** Above this much memory the next picture goes to a new process. */
const rssMax = 130 * 1024 * 1024;

/** The texts of the first two codes: two already mean an ambiguous picture, so more add nothing. */
async function readCodes(picture: Picture): Promise<string[]> {
  const longerSide = Math.max(picture.width, picture.height);
  for (const side of sides.filter((item, index) => index === 0 || item < longerSide)) {
    const shrunk = await shrinkPicture(picture, side);
    const first = readCode(shrunk);
    if (first) {
      const second = readCode(withoutBox(shrunk, first.box));
      return second && second.text !== first.text ? [first.text, second.text] : [first.text];
    }
  }
  return [];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

// The library's function that reads all codes takes 50 MB more.
function readCode({ rgb, width, height }: Picture): { text: string; box: Box } | null {
  let box: Box = { x: 0, y: 0, width, height };
  try {
    const text = decodeQR(
      { width, height, data: rgb },
      {
        format: "RGB",
        effort: 4,
        timeLimit: searchMs,
        pointsOnDetect: ({ boundingBox }) => {
          box = boundingBox;
        },
      },
    );
    return { text, box };
  } catch {
    return null;
  }
}

/** A copy in which the code already read is covered. */
function withoutBox({ rgb, width, height }: Picture, box: Box): Picture {
  const copy = Buffer.from(rgb);
  const margin = box.width / 20;
  const clamp = (value: number, max: number) => Math.min(max, Math.max(0, Math.round(value)));
  const leftPx = clamp(box.x - margin, width);
  const right = clamp(box.x + box.width + margin, width);
  const top = clamp(box.y - margin, height);
  const bottom = clamp(box.y + box.height + margin, height);
  for (let y = top; y < bottom; y += 1) {
    copy.fill(255, (y * width + leftPx) * 3, (y * width + right) * 3);
  }
  return { rgb: copy, width, height };
}

async function decode({ id, bytes, codePattern }: DecodeRequest): Promise<DecodeResult> {
  try {
    const picture = await decodePicture(Buffer.from(bytes));
    const { width, height } = picture;
    const texts = await readCodes(picture).catch(() => []);
    // Nothing else is ever stored, so nothing else is encoded.
    const isSpecimen = texts.length === 1 && new RegExp(codePattern).test(texts[0] as string);
    const webp = isSpecimen ? await encodePicture(picture) : null;
    return { id, ok: true, image: { texts, width, height, webp } };
  } catch (error) {
    if (error instanceof PictureError) return { id, ok: false, error: error.fault };
    throw error;
  }
}

process.on("message", (question: DecodeRequest) => {
  void decode(question).then((answer) => {
    process.send!({ ...answer, isFull: process.memoryUsage.rss() > rssMax });
  });
});
process.on("disconnect", () => process.exit(0));
