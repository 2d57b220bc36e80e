import { decodeQRBatch } from "qr/decode.js";
import { specimenForm } from "#core/wallet/voucher.ts";
import { Refusal } from "#server/platform/refusal.ts";
import type { Looked, LookQuestion } from "#server/wallet/recharge/looking.ts";
import {
  decodePicture,
  encodePicture,
  type Picture,
  shrinkPicture,
} from "#server/wallet/recharge/picture.ts";

/**
 * A process of its own that decodes pictures and reads their QR codes: what a hostile picture takes, of memory or of the processor,
 * it takes from nobody else, and it is given back when this process ends. It ends when its parent does.
 */

/** Longer sides tried one after the other until a code is found; what a search may take, in milliseconds. */
const sides = [1_280, 800, 500];
const searchMs = 700;
/** Past this much memory another process takes the next picture. */
const rssMax = 150 * 1024 * 1024;

/** Every code counts, for two of them mean two different things. */
async function readCodes(picture: Picture): Promise<string[]> {
  const longer = Math.max(picture.width, picture.height);
  for (const side of sides.filter((one, at) => at === 0 || one < longer)) {
    const { rgb, width, height } = await shrinkPicture(picture, side);
    const [found = []] = await decodeQRBatch([{ width, height, data: rgb }], {
      format: "RGB",
      effort: 4,
      timeLimit: searchMs,
    });
    const texts = new Set(found.filter((one): one is string => typeof one === "string"));
    if (texts.size > 0) return [...texts];
  }
  return [];
}

async function look({ id, bytes }: LookQuestion): Promise<Looked> {
  try {
    const picture = await decodePicture(Buffer.from(bytes));
    const { width, height } = picture;
    const texts = await readCodes(picture).catch(() => []);
    // Nothing else is ever kept, so nothing else is made.
    const isSpecimen = texts.length === 1 && specimenForm.test(texts[0] as string);
    const webp = isSpecimen ? await encodePicture(picture) : null;
    return { id, ok: true, seen: { texts, width, height, webp } };
  } catch (error) {
    if (error instanceof Refusal) return { id, ok: false, error: error.error, data: error.data };
    throw error;
  }
}

process.on("message", (question: LookQuestion) => {
  void look(question).then((answer) => {
    process.send!({ ...answer, isFull: process.memoryUsage.rss() > rssMax });
  });
});
process.on("disconnect", () => process.exit(0));
