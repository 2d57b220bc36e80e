import { parseSpecimenText } from "#core/identity/specimen.ts";
import { createReader } from "#web/features/picture/reader.ts";
import { type PickedImage, preparePicture } from "#web/features/picture/shrink.ts";

export type PictureCheck =
  | { ok: true; picture: PickedImage }
  /**
   * `picture`: not a picture. `none`: no code in it. `other`: another code. `world`: a specimen of
   * another instance.
   */
  | { ok: false; error: "picture" | "none" | "other" | "world" };

/**
 * Checks in this browser that a picture holds the code of a specimen of this world: one without it
 * is never sent. The server checks that the specimen was given to this person.
 */
export async function checkPicture(file: Blob, world: string): Promise<PictureCheck> {
  const picture = await preparePicture(file);
  if (!picture) return { ok: false, error: "picture" };
  const text = await readCode(picture.blob);
  const mark = text === null ? null : parseSpecimenText(text);
  if (mark?.world === world) return { ok: true, picture };
  URL.revokeObjectURL(picture.url);
  return { ok: false, error: mark ? "world" : text === null ? "none" : "other" };
}

async function readCode(blob: Blob): Promise<string | null> {
  const bitmap = await createImageBitmap(blob).catch(() => null);
  if (!bitmap) return null;
  const reader = createReader();
  try {
    return await reader.read(bitmap, bitmap.width, bitmap.height);
  } finally {
    reader.stop();
    bitmap.close();
  }
}
