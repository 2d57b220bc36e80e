import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createForm,
  createRechargeWorld,
  draw,
  drawPaper,
  multipart,
  newPerson,
  photo,
  type RechargeWorld,
  send,
  specimen,
} from "#server/recharge/testing.ts";

/** Real specimens that are unusual, or were changed. */
let world: RechargeWorld;
beforeAll(async () => {
  world = await createRechargeWorld();
});
afterAll(() => world.close());

/** Accepted, and only its pixels are stored. */
const oddSpecimens: [title: string, make: (text: string) => Promise<Buffer>][] = [
  [
    "with a location and a device in its EXIF",
    (text) =>
      drawPaper([text])
        .withExif({
          IFD0: { Make: "SECRETCAM", Copyright: "SECRETNAME" },
          IFD3: { GPSLatitude: "52/1 31/1 0/1", GPSLatitudeRef: "N" },
        })
        .jpeg()
        .toBuffer(),
  ],
  [
    "with XMP",
    (text) =>
      drawPaper([text])
        .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>SECRETNAME</x:xmpmeta>")
        .jpeg()
        .toBuffer(),
  ],
  [
    "with an appended archive",
    async (text) => Buffer.concat([await specimen(text), Buffer.from("PK\u0003\u0004SECRETNAME")]),
  ],
  [
    "with an appended script",
    async (text) =>
      Buffer.concat([
        await drawPaper([text]).jpeg().toBuffer(),
        Buffer.from("<script>SECRETNAME</script>"),
      ]),
  ],
  ["in CMYK", (text) => drawPaper([text]).toColourspace("cmyk").jpeg({ quality: 92 }).toBuffer()],
  ["in greyscale", (text) => drawPaper([text]).greyscale().png().toBuffer()],
  ["with transparency", (text) => drawPaper([text]).ensureAlpha(0.9).png().toBuffer()],
  [
    "lying on its side",
    (text) => drawPaper([text]).jpeg().withMetadata({ orientation: 6 }).toBuffer(),
  ],
  [
    "rotated by 30 degrees",
    (text) =>
      drawPaper([text], { scale: 6, width: 900, height: 1_000 })
        .rotate(30, { background: "#888" })
        .webp()
        .toBuffer(),
  ],
  ["photographed small, with grain", (text) => onPhoto(text)],
  [
    "in 16 bits, interlaced",
    (text) => drawPaper([text]).toColourspace("rgb16").png({ progressive: true }).toBuffer(),
  ],
  [
    "of 20 megapixels",
    (text) =>
      drawPaper([text], { scale: 20, width: 4_000, height: 5_000 })
        .jpeg({ quality: 70 })
        .toBuffer(),
  ],
  ["as a low-quality JPEG", (text) => drawPaper([text]).jpeg({ quality: 25 }).toBuffer()],
];

async function onPhoto(text: string): Promise<Buffer> {
  const sheet = await drawPaper([text], { width: 420, height: 420, scale: 5 })
    .extract({ left: 20, top: 100, width: 380, height: 320 })
    .png()
    .toBuffer();
  return photo(1_400, 1_000)
    .composite([{ input: sheet, left: 500, top: 300 }])
    .jpeg({ quality: 70 })
    .toBuffer();
}

describe("a specimen", () => {
  test.each(
    oddSpecimens,
  )("a specimen %s is read and only its pixels are stored", async (_title, make) => {
    const otherPerson = newPerson();
    const { qr_text: qrText } = await draw(world, otherPerson);
    const before = new Set(world.files());
    const answer = await send(world.app, otherPerson, multipart(createForm(await make(qrText))));
    expect(answer.error).toBe(null);
    expect(world.files().filter((file) => !before.has(file)).length).toBe(1);
    const storedImage = await world.recharges.image(otherPerson.userId, answer.data.recharge_id);
    expect(storedImage.includes("SECRET")).toBe(false);
    const { format, exif, xmp, icc, iptc, width, height } = await sharp(storedImage).metadata();
    expect([format, exif, xmp, icc, iptc]).toEqual(["webp", ...Array(4).fill(undefined)]);
    expect(Math.max(width, height)).toBeLessThanOrEqual(1_280);
  });

  test("a specimen with a changed signature is refused as altered", async () => {
    const otherPerson = newPerson();
    const { qr_text: qrText } = await draw(world, otherPerson);
    const alteredText = qrText.slice(0, -1) + (qrText.endsWith("0") ? "1" : "0");
    const { data } = await send(
      world.app,
      otherPerson,
      multipart(createForm(await specimen(alteredText))),
    );
    await world.review();
    const list = await world.recharges.find(otherPerson.userId, data.recharge_id);
    expect(list?.reason).toBe("altered");
  });

  test("a specimen with a zero added to its amount is refused as altered", async () => {
    const otherPerson = newPerson();
    const { qr_text: qrText } = await draw(world, otherPerson);
    const body = multipart(
      createForm(await specimen(qrText.replace(" 100 ", " 5000 ")), { amount: "5000" }),
    );
    const { data } = await send(world.app, otherPerson, body);
    await world.review();
    expect((await world.recharges.find(otherPerson.userId, data.recharge_id))?.reason).toBe(
      "altered",
    );
  });
});
