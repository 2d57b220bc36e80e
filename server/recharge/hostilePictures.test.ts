import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createForm,
  createRechargeWorld,
  draw,
  drawPaper,
  multipart,
  newPerson,
  type Person,
  photo,
  type RechargeWorld,
  sendRefused,
  specimen,
} from "#server/recharge/testing.ts";

/** Hostile pictures: each has a name and stores nothing, and none ends the decoder for others. */
let world: RechargeWorld;
let person: Person;
let text: string;
let validPicture: Buffer;
beforeAll(async () => {
  world = await createRechargeWorld();
  person = newPerson();
  text = (await draw(world, person)).qr_text;
  validPicture = await specimen(text);
});
afterAll(() => world.close());

/**
 * A PNG whose header says `width` × `height`, with rows of zeros that compress to next to nothing.
 */
function flatPng(width: number, height: number, rows = height): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rawRows = Buffer.alloc(rows * (width + 1));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rawRows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const gif = Buffer.from(
  "47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b",
  "hex",
);
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>',
);
const html = Buffer.from("<html><script>alert(1)</script></html>");
const damagedJpeg = async () => {
  const jpeg = await drawPaper([text]).jpeg().toBuffer();
  return jpeg.subarray(0, Math.floor(jpeg.length / 2));
};
const foreign = (change: (text: string) => string) => specimen(change(text));

/** Rejected under this name, with any other field. */
const pictures: [
  title: string,
  make: () => Buffer | Promise<Buffer>,
  error: string,
  why?: string,
][] = [
  ["an empty file", () => Buffer.alloc(0), "recharge.picture_missing"],
  ["one byte", () => Buffer.from([0xff]), "recharge.picture_type"],
  ["text", () => Buffer.from("I paid, honestly. ".repeat(40)), "recharge.picture_type"],
  ["an HTML page", () => html, "recharge.picture_type"],
  ["an SVG", () => svg, "recharge.picture_type"],
  ["a GIF", () => gif, "recharge.picture_type"],
  ["a PDF", () => Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj<<>>endobj"), "recharge.picture_type"],
  [
    "an archive",
    () => Buffer.from(`PK\u0003\u0004${"\0".repeat(60)}`, "latin1"),
    "recharge.picture_type",
  ],
  ["a TIFF", () => photo(60, 40).tiff().toBuffer(), "recharge.picture_type"],
  ["an AVIF", () => photo(64, 64).avif({ effort: 0 }).toBuffer(), "recharge.picture_type"],
  [
    "an SVG that begins as a JPEG",
    () => Buffer.concat([Buffer.from("ffd8ffe0", "hex"), svg, Buffer.alloc(64)]),
    "recharge.picture_unreadable",
    "damaged",
  ],
  [
    "only a JPEG's first bytes",
    () => Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.alloc(40)]),
    "recharge.picture_unreadable",
    "damaged",
  ],
  [
    "only a PNG's first bytes",
    () => validPicture.subarray(0, 20),
    "recharge.picture_unreadable",
    "damaged",
  ],
  [
    "only a WebP's first bytes",
    () => Buffer.from("RIFF\u00ff\0\0\0WEBPVP8 \0\0\0\0", "latin1"),
    "recharge.picture_unreadable",
    "damaged",
  ],
  ["a truncated JPEG", damagedJpeg, "recharge.picture_unreadable", "damaged"],
  [
    "a truncated PNG",
    () => validPicture.subarray(0, validPicture.length / 2),
    "recharge.picture_unreadable",
    "damaged",
  ],
  [
    "a PNG with a changed byte",
    () =>
      Buffer.from(
        validPicture.map((byte, index) =>
          index === validPicture.length >> 1 ? byte ^ 0xff : byte,
        ),
      ),
    "recharge.picture_unreadable",
    "damaged",
  ],
  [
    "60 megapixels in a few kilobytes",
    () => flatPng(10_000, 6_000),
    "recharge.picture_unreadable",
    "pixels",
  ],
  [
    "a header of 60 000 × 60 000",
    () => flatPng(60_000, 60_000, 1),
    "recharge.picture_unreadable",
    "pixels",
  ],
  [
    "a header of 2 000 000 000 × 1",
    () => flatPng(2_000_000_000, 1, 0),
    "recharge.picture_unreadable",
  ],
  ["a header of 0 × 0", () => flatPng(0, 0), "recharge.picture_unreadable", "damaged"],
  [
    "a PNG with less data than its header declares",
    () => flatPng(4_000, 4_000, 10),
    "recharge.picture_unreadable",
    "damaged",
  ],
  [
    "a PNG bomb just inside the limit",
    () => flatPng(6_000, 4_000),
    "recharge.not_a_specimen",
    "no_code",
  ],
  ["an animated WebP", animated, "recharge.picture_unreadable", "animated"],
  ["a white sheet", () => drawPaper([]).png().toBuffer(), "recharge.not_a_specimen", "no_code"],
  ["a single pixel", () => flatPng(1, 1), "recharge.not_a_specimen", "no_code"],
  ["a strip 24 000 pixels wide", () => flatPng(24_000, 1), "recharge.not_a_specimen", "no_code"],
  [
    "a photograph",
    () => photo().jpeg({ quality: 85 }).toBuffer(),
    "recharge.not_a_specimen",
    "no_code",
  ],
  ["a bank slip", bankSlip, "recharge.not_a_specimen", "no_code"],
  [
    "a bank slip with a payment QR code",
    () => specimen("BCD\n002\n1\nSCT\n\nHarbour Bank\nXX00000000000000\nEUR100"),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "a QR code with a web address",
    () => specimen("https://example.org/voucher?id=1"),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "a QR code with a real chain's address",
    () => specimen("bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=1"),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "a QR code with markup",
    () => specimen("<img src=x onerror=alert(1)>"),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "a QR code with 700 letters",
    () =>
      drawPaper(["x".repeat(700)], { scale: 3 })
        .png()
        .toBuffer(),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "a specimen of another world",
    () => foreign((text) => text.replace("test-world", "other-world")),
    "recharge.not_a_specimen",
    "other_world",
  ],
  [
    "a specimen that was never issued",
    () => foreign((text) => text.replace(/ [0-9a-f]{24} /, ` ${"0".repeat(24)} `)),
    "recharge.not_a_specimen",
    "not_issued",
  ],
  [
    "a specimen of a later version",
    () => foreign((text) => text.replace("/1 ", "/2 ")),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "two specimens side by side",
    () =>
      drawPaper([text, text.replace(" 100 ", " 500 ")], { width: 1_200 })
        .png()
        .toBuffer(),
    "recharge.not_a_specimen",
    "several_codes",
  ],
];

function animated(): Promise<Buffer> {
  const frames = Buffer.alloc(64 * 128 * 3);
  frames.fill(200, frames.length / 2);
  return sharp(frames, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
}

/** Our own drawing of the kind of document that no one should send to a website. */
function bankSlip(): Promise<Buffer> {
  const lines = [
    "HARBOUR SAVINGS BANK",
    "Transfer receipt",
    "From  XX00 0000 0000",
    "To  XX11 1111 1111",
    "Amount  100.00",
  ];
  const textElements = lines.map(
    (line, nth) => `<text x="40" y="${80 + nth * 60}" font-size="28">${line}</text>`,
  );
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="480"><rect width="700" height="480" fill="#fff"/>${textElements.join("")}<rect x="480" y="360" width="160" height="70" fill="none" stroke="#205" stroke-width="4"/></svg>`,
    ),
  )
    .jpeg()
    .toBuffer();
}
describe("a picture", () => {
  test.each(pictures)("%s is refused and not stored", async (_title, make, error, reason) => {
    const answer = await sendRefused(world, person, multipart(createForm(await make())));
    expect([answer.error, answer.status < 500]).toEqual([error, true]);
    if (reason) expect(answer.refusal?.why ?? answer.refusal?.reason).toBe(reason);
  });
});
