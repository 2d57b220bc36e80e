import { Refusal } from "#server/platform/refusal.ts";
import {
  decodePicture,
  encodePicture,
  type Picture,
  shrinkPicture,
} from "#server/wallet/recharge/picture.ts";
import { createQrReader } from "#server/wallet/recharge/qrReader.ts";

export interface Looking {
  /**
   * Decodes a picture, reads its QR codes and hands both to `use`, whose turn it stays until that is done. Refuses as
   * `decodePicture` does, and with `server.unavailable` when too many wait.
   */
  look<Result>(bytes: Buffer, use: (seen: Seen) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface Seen {
  /** What its QR codes hold, each once. */
  texts: string[];
  width: number;
  height: number;
  /** WebP, made when it is asked for. */
  encode: () => Promise<Buffer>;
}

/** Pictures that may wait for their turn; each has its bytes in memory. */
const waitingMax = 12;
/** Longer sides tried one after the other until a code is found. */
const sides = [1_600, 900, 500];

/** Looks at pictures one after the other, whoever sent them: so that no number of them takes more memory than one. */
export function createLooking(): Looking {
  const reader = createQrReader();
  let waiting = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const textsIn = async (picture: Picture) => {
    const longer = Math.max(picture.width, picture.height);
    for (const side of sides.filter((one, at) => at === 0 || one < longer)) {
      const texts = await reader.read(await shrinkPicture(picture, side));
      if (texts.length > 0) return texts;
    }
    return [];
  };
  return {
    look: async (bytes, use) => {
      if (waiting >= waitingMax)
        throw new Refusal("server.unavailable", { retry_after_seconds: 2 });
      waiting += 1;
      const turn = queue.then(async () => {
        const picture = await decodePicture(bytes);
        const { width, height } = picture;
        const texts = await textsIn(picture);
        return use({ texts, width, height, encode: () => encodePicture(picture) });
      });
      queue = turn.catch(() => {});
      return turn.finally(() => {
        waiting -= 1;
      });
    },
    close: async () => {
      await queue;
      await reader.close();
    },
  };
}
