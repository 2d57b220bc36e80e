import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  boundary,
  createRechargeWorld,
  draw,
  formOf,
  multipart,
  newPerson,
  type Part,
  type Person,
  paper,
  photo,
  type RechargeWorld,
  send,
  specimen,
} from "#server/recharge/testing.ts";
import { newKey } from "#server/testing/client.ts";

/**
 * Hostile uploads: either a named error that stores nothing, or a picture encoded anew; never a
 * crash, never an orphaned file.
 */
let world: RechargeWorld;
let person: Person;
let text: string;
let good: Buffer;
beforeAll(async () => {
  world = await createRechargeWorld();
  person = newPerson();
  text = (await draw(world, person)).qr_text;
  good = await specimen(text);
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
  const raw = Buffer.alloc(rows * (width + 1));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(raw, { level: 9 })),
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
  const jpeg = await paper([text]).jpeg().toBuffer();
  return jpeg.subarray(0, Math.floor(jpeg.length / 2));
};
const foreign = (change: (own: string) => string) => specimen(change(text));

/** Rejected with this name, whatever is sent with it. */
const pictures: [
  title: string,
  make: () => Buffer | Promise<Buffer>,
  error: string,
  why?: string,
][] = [
  ["nothing in the file", () => Buffer.alloc(0), "recharge.picture_missing"],
  ["one byte", () => Buffer.from([0xff]), "recharge.picture_type"],
  ["text", () => Buffer.from("I paid, honestly. ".repeat(40)), "recharge.picture_type"],
  ["a page", () => html, "recharge.picture_type"],
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
    () => good.subarray(0, 20),
    "recharge.picture_unreadable",
    "damaged",
  ],
  [
    "only a WebP's first bytes",
    () => Buffer.from("RIFF\u00ff\0\0\0WEBPVP8 \0\0\0\0", "latin1"),
    "recharge.picture_unreadable",
    "damaged",
  ],
  ["half a JPEG", damagedJpeg, "recharge.picture_unreadable", "damaged"],
  ["half a PNG", () => good.subarray(0, good.length / 2), "recharge.picture_unreadable", "damaged"],
  [
    "a PNG with a byte changed in its middle",
    () => Buffer.from(good.map((byte, at) => (at === good.length >> 1 ? byte ^ 0xff : byte))),
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
    "a PNG that holds less than its header says",
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
  ["a white sheet", () => paper([]).png().toBuffer(), "recharge.not_a_specimen", "no_code"],
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
    "a bank slip with a payment code",
    () => specimen("BCD\n002\n1\nSCT\n\nHarbour Bank\nXX00000000000000\nEUR100"),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "a code with an address",
    () => specimen("https://example.org/voucher?id=1"),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "a code with a real chain's address",
    () => specimen("bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=1"),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "a code with markup",
    () => specimen("<img src=x onerror=alert(1)>"),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "a code with 700 letters",
    () =>
      paper(["x".repeat(700)], { scale: 3 })
        .png()
        .toBuffer(),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "a specimen of another world",
    () => foreign((own) => own.replace("test-world", "other-world")),
    "recharge.not_a_specimen",
    "other_world",
  ],
  [
    "a specimen that was never issued",
    () => foreign((own) => own.replace(/ [0-9a-f]{24} /, ` ${"0".repeat(24)} `)),
    "recharge.not_a_specimen",
    "not_issued",
  ],
  [
    "a specimen of a later form",
    () => foreign((own) => own.replace("/1 ", "/2 ")),
    "recharge.not_a_specimen",
    "other_code",
  ],
  [
    "two specimens side by side",
    () =>
      paper([text, text.replace(" 100 ", " 500 ")], { width: 1_200 })
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

/** Our own drawing of the kind of document that nobody should send anywhere. */
function bankSlip(): Promise<Buffer> {
  const lines = [
    "HARBOUR SAVINGS BANK",
    "Transfer receipt",
    "From  XX00 0000 0000",
    "To  XX11 1111 1111",
    "Amount  100.00",
  ];
  const drawn = lines.map(
    (line, nth) => `<text x="40" y="${80 + nth * 60}" font-size="28">${line}</text>`,
  );
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="480"><rect width="700" height="480" fill="#fff"/>${drawn.join("")}<rect x="480" y="360" width="160" height="70" fill="none" stroke="#205" stroke-width="4"/></svg>`,
    ),
  )
    .jpeg()
    .toBuffer();
}

async function sendAlone(payload: Buffer, headers: Record<string, string> = {}) {
  world.ctx.realClock.advanceMs(1_000);
  const before = world.files();
  const answer = await send(world.app, person, payload, headers);
  expect(world.files()).toEqual(before);
  return answer;
}

describe("a picture", () => {
  test.each(pictures)("%s is refused and not stored", async (_title, make, error, why) => {
    const answer = await sendAlone(multipart(formOf(await make())));
    expect([answer.error, answer.status < 500]).toEqual([error, true]);
    if (why) expect(answer.refusal?.why ?? answer.refusal?.reason).toBe(why);
  });
});

const withoutImage = () => formOf(null);
const image = (change: Partial<Part> = {}): Part => ({
  name: "image",
  value: good,
  filename: "voucher.png",
  type: "image/png",
  ...change,
});

const bodies: [
  title: string,
  body: () => Buffer,
  error: string,
  headers?: Record<string, string>,
][] = [
  ["without a file", () => multipart(withoutImage()), "recharge.picture_missing"],
  [
    "with the picture as text",
    () => multipart([...withoutImage(), { name: "image", value: "x" }]),
    "recharge.picture_missing",
  ],
  ["without an amount", () => multipart(formOf(good, { amount: "" })), "recharge.amount_missing"],
  ["of nothing at all", () => multipart([]), "money.coin_unknown"],
  [
    "a byte past 6 MB",
    () => multipart(formOf(Buffer.alloc(6 * 1024 * 1024 + 1, 0xff))),
    "recharge.picture_too_large",
  ],
  [
    "of 20 MB",
    () => multipart(formOf(Buffer.alloc(20 * 1024 * 1024))),
    "recharge.picture_too_large",
  ],
  ["with two files", () => multipart([...formOf(good), image()]), "request.malformed"],
  [
    "with the file under another name",
    () => multipart([...withoutImage(), image({ name: "photo" })]),
    "request.malformed",
  ],
  [
    "with a hundred fields",
    () =>
      multipart([
        ...Array.from({ length: 100 }, (_, at) => ({ name: `f${at}`, value: "1" })),
        ...formOf(good),
      ]),
    "request.malformed",
  ],
  [
    "with unknown fields up to the limit",
    () =>
      multipart([
        ...formOf(good),
        ...Array.from({ length: 9 }, (_, at) => ({ name: `x${"y".repeat(at)}`, value: "1" })),
      ]),
    "request.malformed",
  ],
  [
    "with a thousand empty parts",
    () => multipart(Array.from({ length: 1_000 }, () => ({ name: "a", value: "" }))),
    "request.malformed",
  ],
  [
    "with the amount twice",
    () => multipart([...formOf(good), { name: "amount", value: "5000" }]),
    "request.malformed",
  ],
  [
    "with a field name of 10 000 letters",
    () => multipart([{ name: "a".repeat(10_000), value: "1" }, ...formOf(good)]),
    "request.malformed",
  ],
  [
    "with an amount of 10 000 digits",
    () => multipart(formOf(good, { amount: "9".repeat(10_000) })),
    "request.malformed",
  ],
  [
    "with a field named __proto__",
    () => multipart([{ name: "__proto__", value: "1" }, ...formOf(good)]),
    "request.malformed",
  ],
  [
    "with a field named constructor",
    () => multipart([{ name: "constructor", value: "1" }, ...formOf(good)]),
    "request.malformed",
  ],
  ["with NUL in the coin", () => multipart(formOf(good, { coin: "pUSDT\0" })), "request.malformed"],
  [
    "with broken UTF-8 in the coin",
    () =>
      multipart([
        { name: "coin", value: Buffer.from([0x70, 0xff, 0xfe]) },
        { name: "network", value: "peth" },
        image(),
      ]),
    "money.coin_unknown",
  ],
  ["with an unmarked coin", () => multipart(formOf(good, { coin: "USDT" })), "money.coin_unknown"],
  [
    "with a network of no such name",
    () => multipart(formOf(good, { network: "mainnet" })),
    "recharge.network_wrong",
  ],
  [
    "with a network that the coin is not on",
    () => multipart(formOf(good, { network: "pbtc" })),
    "recharge.network_wrong",
  ],
  [
    "with an amount of other scripts' digits",
    () => multipart(formOf(good, { amount: "１００" })),
    "money.amount_malformed",
  ],
  [
    "with a negative amount",
    () => multipart(formOf(good, { amount: "-100" })),
    "money.amount_malformed",
  ],
  ["with NaN", () => multipart(formOf(good, { amount: "NaN" })), "money.amount_malformed"],
  [
    "with excess digits",
    () => multipart(formOf(good, { amount: "100.0000001" })),
    "money.excess_digits",
  ],
  [
    "with a huge amount",
    () => multipart(formOf(good, { amount: "9".repeat(13) })),
    "money.amount_too_large",
  ],
  ["with zero", () => multipart(formOf(good, { amount: "0.00" })), "recharge.amount_missing"],
  [
    "that ends in the middle of the file",
    () => multipart(formOf(good)).subarray(0, -good.length / 2),
    "request.malformed",
  ],
  ["that ends before its last boundary", () => multipart(formOf(good), false), "request.malformed"],
  [
    "without a boundary in its type",
    () => multipart(formOf(good)),
    "request.malformed",
    { "content-type": "multipart/form-data" },
  ],
  [
    "with another boundary than it says",
    () => multipart(formOf(good)),
    "request.malformed",
    { "content-type": "multipart/form-data; boundary=other" },
  ],
  [
    "with a boundary of 5 000 letters",
    () => multipart(formOf(good)),
    "request.malformed",
    { "content-type": `multipart/form-data; boundary=${"b".repeat(5_000)}` },
  ],
  [
    "nested in another",
    () =>
      multipart([
        ...withoutImage(),
        {
          name: "image",
          value: multipart(formOf(good)),
          type: `multipart/mixed; boundary=${boundary}`,
        },
      ]),
    "request.malformed",
  ],
  [
    "of random bytes",
    () => Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7_919) & 255)),
    "request.malformed",
  ],
  [
    "as JSON",
    () => Buffer.from('{"coin":"pUSDT","network":"peth","amount":"100","image":"x"}'),
    "request.malformed",
    { "content-type": "application/json" },
  ],
  [
    "as a form",
    () => Buffer.from("coin=pUSDT&network=peth&amount=100"),
    "request.malformed",
    { "content-type": "application/x-www-form-urlencoded" },
  ],
  [
    "that says it is larger than it is allowed to be",
    () => multipart(formOf(good)),
    "recharge.picture_too_large",
    { "content-length": "99999999" },
  ],
  [
    "without a key",
    () => multipart(formOf(good)),
    "idempotency.key_missing",
    { "idempotency-key": "" },
  ],
  [
    "with a key that is none",
    () => multipart(formOf(good)),
    "idempotency.key_malformed",
    { "idempotency-key": "../../x" },
  ],
  ["from nobody", () => multipart(formOf(good)), "session.required", { token: "" }],
];

describe("a body", () => {
  test.each(
    bodies,
  )("%s is refused and leaves nothing", async (_title, body, error, headers = {}) => {
    const answer = await sendAlone(body(), headers);
    expect([answer.error, answer.status < 500]).toEqual([error, true]);
  });
});

describe("a file name", () => {
  test.each([
    ["that is a path", "../../../../etc/passwd"],
    ["with NUL", "voucher\0.png"],
    ["of 10 000 letters", `${"a".repeat(10_000)}.png`],
    ["of a script", "voucher.php"],
    ["that turns around", "gnp.\u202erehcuov"],
    ["that is empty", ""],
  ])("%s is never used", async (_title, filename) => {
    const { qr_text: own } = await draw(world, person);
    const before = new Set(world.files());
    const parts = [...withoutImage(), image({ filename, value: await specimen(own) })];
    const answer = await send(world.app, person, multipart(parts));
    if (answer.error === null) {
      const made = world.files().filter((file) => !before.has(file));
      expect(made).toEqual([expect.stringMatching(/^[0-9a-z]{9}-[0-9a-f]{32}$/)]);
    } else {
      expect([answer.status < 500, new Set(world.files())]).toEqual([true, before]);
    }
  });
});

/** Accepted, and stored as nothing but the pixels. */
const odd: [title: string, make: (text: string) => Promise<Buffer>][] = [
  [
    "with a place and a device in its EXIF",
    (own) =>
      paper([own])
        .withExif({
          IFD0: { Make: "SECRETCAM", Copyright: "SECRETNAME" },
          IFD3: { GPSLatitude: "52/1 31/1 0/1", GPSLatitudeRef: "N" },
        })
        .jpeg()
        .toBuffer(),
  ],
  [
    "with XMP",
    (own) =>
      paper([own])
        .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>SECRETNAME</x:xmpmeta>")
        .jpeg()
        .toBuffer(),
  ],
  [
    "with an archive behind it",
    async (own) => Buffer.concat([await specimen(own), Buffer.from("PK\u0003\u0004SECRETNAME")]),
  ],
  [
    "with a script behind it",
    async (own) =>
      Buffer.concat([
        await paper([own]).jpeg().toBuffer(),
        Buffer.from("<script>SECRETNAME</script>"),
      ]),
  ],
  ["in CMYK", (own) => paper([own]).toColourspace("cmyk").jpeg({ quality: 92 }).toBuffer()],
  ["in grey", (own) => paper([own]).greyscale().png().toBuffer()],
  ["with transparency", (own) => paper([own]).ensureAlpha(0.9).png().toBuffer()],
  ["lying on its side", (own) => paper([own]).jpeg().withMetadata({ orientation: 6 }).toBuffer()],
  [
    "turned by 30 degrees",
    (own) =>
      paper([own], { scale: 6, width: 900, height: 1_000 })
        .rotate(30, { background: "#888" })
        .webp()
        .toBuffer(),
  ],
  ["photographed small, under grain", (own) => onPhoto(own)],
  [
    "in 16 bits, interlaced",
    (own) => paper([own]).toColourspace("rgb16").png({ progressive: true }).toBuffer(),
  ],
  [
    "of 20 megapixels",
    (own) =>
      paper([own], { scale: 20, width: 4_000, height: 5_000 }).jpeg({ quality: 70 }).toBuffer(),
  ],
  ["as a poor JPEG", (own) => paper([own]).jpeg({ quality: 25 }).toBuffer()],
];

async function onPhoto(own: string): Promise<Buffer> {
  const sheet = await paper([own], { width: 420, height: 420, scale: 5 })
    .extract({ left: 20, top: 100, width: 380, height: 320 })
    .png()
    .toBuffer();
  return photo(1_400, 1_000)
    .composite([{ input: sheet, left: 500, top: 300 }])
    .jpeg({ quality: 70 })
    .toBuffer();
}

describe("a specimen", () => {
  test.each(odd)("%s is read, and only its pixels are kept", async (_title, make) => {
    const other = newPerson();
    const { qr_text: own } = await draw(world, other);
    const before = new Set(world.files());
    const answer = await send(world.app, other, multipart(formOf(await make(own))));
    expect(answer.error).toBe(null);
    expect(world.files().filter((file) => !before.has(file)).length).toBe(1);
    const kept = await world.recharges.image(other.userId, answer.data.recharge_id);
    expect(kept.includes("SECRET")).toBe(false);
    const { format, exif, xmp, icc, iptc, width, height } = await sharp(kept).metadata();
    expect([format, exif, xmp, icc, iptc]).toEqual(["webp", ...Array(4).fill(undefined)]);
    expect(Math.max(width, height)).toBeLessThanOrEqual(1_280);
  });

  test("whose signature was changed is reviewed, and refused as altered", async () => {
    const other = newPerson();
    const { qr_text: own } = await draw(world, other);
    const changed = own.slice(0, -1) + (own.endsWith("0") ? "1" : "0");
    const { data } = await send(world.app, other, multipart(formOf(await specimen(changed))));
    await world.review();
    const list = await world.recharges.find(other.userId, data.recharge_id);
    expect(list?.reason).toBe("altered");
  });

  test("with more nought in its amount is reviewed, and refused as altered", async () => {
    const other = newPerson();
    const { qr_text: own } = await draw(world, other);
    const body = multipart(
      formOf(await specimen(own.replace(" 100 ", " 5000 ")), { amount: "5000" }),
    );
    const { data } = await send(world.app, other, body);
    await world.review();
    expect((await world.recharges.find(other.userId, data.recharge_id))?.reason).toBe("altered");
  });
});

test("a hundred at once are answered by name, and only what was accepted is kept", async () => {
  const other = newPerson();
  const { qr_text: own } = await draw(world, other);
  const picture = await specimen(own);
  const before = world.files().length;
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      send(
        world.app,
        { ...other, token: `${other.userId}/${newKey()}` },
        multipart(formOf(picture)),
      ),
    ),
  );
  const names = new Set(answers.map(({ error }) => error));
  expect(
    [...names].every(
      (name) => name === null || name === "server.unavailable" || name === "request.too_many",
    ),
  ).toBe(true);
  const accepted = answers.filter(({ error }) => error === null).length;
  expect(accepted).toBeGreaterThan(0);
  expect(world.files().length).toBe(before + accepted);
});
