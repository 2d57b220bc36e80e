import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  boundary,
  createForm,
  createRechargeWorld,
  draw,
  multipart,
  newPerson,
  type Part,
  type Person,
  type RechargeWorld,
  send,
  sendRefused,
  specimen,
} from "#server/recharge/testing.ts";
import { newKey } from "#server/testing/client.ts";

/**
 * Hostile bodies: either a named error that stores nothing, or a picture encoded again; never a
 * crash, never an orphaned file.
 */
let world: RechargeWorld;
let person: Person;
let validPicture: Buffer;
beforeAll(async () => {
  world = await createRechargeWorld();
  person = newPerson();
  validPicture = await specimen((await draw(world, person)).qr_text);
});
afterAll(() => world.close());

const withoutImage = () => createForm(null);
const image = (change: Partial<Part> = {}): Part => ({
  name: "image",
  value: validPicture,
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
  [
    "without an amount",
    () => multipart(createForm(validPicture, { amount: "" })),
    "recharge.amount_missing",
  ],
  ["without parts", () => multipart([]), "money.coin_unknown"],
  [
    "a byte over 6 MB",
    () => multipart(createForm(Buffer.alloc(6 * 1024 * 1024 + 1, 0xff))),
    "recharge.picture_too_large",
  ],
  [
    "of 20 MB",
    () => multipart(createForm(Buffer.alloc(20 * 1024 * 1024))),
    "recharge.picture_too_large",
  ],
  ["with two files", () => multipart([...createForm(validPicture), image()]), "request.malformed"],
  [
    "with the file under another name",
    () => multipart([...withoutImage(), image({ name: "photo" })]),
    "request.malformed",
  ],
  [
    "with a hundred fields",
    () =>
      multipart([
        ...Array.from({ length: 100 }, (_, index) => ({ name: `f${index}`, value: "1" })),
        ...createForm(validPicture),
      ]),
    "request.malformed",
  ],
  [
    "with unknown fields up to the limit",
    () =>
      multipart([
        ...createForm(validPicture),
        ...Array.from({ length: 9 }, (_, index) => ({ name: `x${"y".repeat(index)}`, value: "1" })),
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
    () => multipart([...createForm(validPicture), { name: "amount", value: "5000" }]),
    "request.malformed",
  ],
  [
    "with a field name of 10 000 letters",
    () => multipart([{ name: "a".repeat(10_000), value: "1" }, ...createForm(validPicture)]),
    "request.malformed",
  ],
  [
    "with an amount of 10 000 digits",
    () => multipart(createForm(validPicture, { amount: "9".repeat(10_000) })),
    "request.malformed",
  ],
  [
    "with a field named __proto__",
    () => multipart([{ name: "__proto__", value: "1" }, ...createForm(validPicture)]),
    "request.malformed",
  ],
  [
    "with a field named constructor",
    () => multipart([{ name: "constructor", value: "1" }, ...createForm(validPicture)]),
    "request.malformed",
  ],
  [
    "with NUL in the coin",
    () => multipart(createForm(validPicture, { coin: "pUSDT\0" })),
    "request.malformed",
  ],
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
  [
    "with an unmarked coin",
    () => multipart(createForm(validPicture, { coin: "USDT" })),
    "money.coin_unknown",
  ],
  [
    "with an unknown network",
    () => multipart(createForm(validPicture, { network: "mainnet" })),
    "recharge.network_wrong",
  ],
  [
    "with a network that does not carry the coin",
    () => multipart(createForm(validPicture, { network: "pbtc" })),
    "recharge.network_wrong",
  ],
  [
    "with digits of other scripts",
    () => multipart(createForm(validPicture, { amount: "１００" })),
    "money.amount_malformed",
  ],
  [
    "with a negative amount",
    () => multipart(createForm(validPicture, { amount: "-100" })),
    "money.amount_malformed",
  ],
  [
    "with NaN",
    () => multipart(createForm(validPicture, { amount: "NaN" })),
    "money.amount_malformed",
  ],
  [
    "with excess digits",
    () => multipart(createForm(validPicture, { amount: "100.0000001" })),
    "money.excess_digits",
  ],
  [
    "with a huge amount",
    () => multipart(createForm(validPicture, { amount: "9".repeat(13) })),
    "money.amount_too_large",
  ],
  [
    "with zero",
    () => multipart(createForm(validPicture, { amount: "0.00" })),
    "recharge.amount_missing",
  ],
  [
    "truncated in the middle of the file",
    () => multipart(createForm(validPicture)).subarray(0, -validPicture.length / 2),
    "request.malformed",
  ],
  [
    "truncated before its last boundary",
    () => multipart(createForm(validPicture), false),
    "request.malformed",
  ],
  [
    "without a boundary in its content type",
    () => multipart(createForm(validPicture)),
    "request.malformed",
    { "content-type": "multipart/form-data" },
  ],
  [
    "with another boundary than declared",
    () => multipart(createForm(validPicture)),
    "request.malformed",
    { "content-type": "multipart/form-data; boundary=other" },
  ],
  [
    "with a boundary of 5 000 letters",
    () => multipart(createForm(validPicture)),
    "request.malformed",
    { "content-type": `multipart/form-data; boundary=${"b".repeat(5_000)}` },
  ],
  [
    "with a nested multipart body",
    () =>
      multipart([
        ...withoutImage(),
        {
          name: "image",
          value: multipart(createForm(validPicture)),
          type: `multipart/mixed; boundary=${boundary}`,
        },
      ]),
    "request.malformed",
  ],
  [
    "of random bytes",
    () => Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) & 255)),
    "request.malformed",
  ],
  [
    "as JSON",
    () => Buffer.from('{"coin":"pUSDT","network":"peth","amount":"100","image":"x"}'),
    "request.malformed",
    { "content-type": "application/json" },
  ],
  [
    "sent as a form",
    () => Buffer.from("coin=pUSDT&network=peth&amount=100"),
    "request.malformed",
    { "content-type": "application/x-www-form-urlencoded" },
  ],
  [
    "with an oversized content length",
    () => multipart(createForm(validPicture)),
    "recharge.picture_too_large",
    { "content-length": "99999999" },
  ],
  [
    "without a key",
    () => multipart(createForm(validPicture)),
    "idempotency.key_missing",
    { "idempotency-key": "" },
  ],
  [
    "with a malformed key",
    () => multipart(createForm(validPicture)),
    "idempotency.key_malformed",
    { "idempotency-key": "../../x" },
  ],
  [
    "without a session",
    () => multipart(createForm(validPicture)),
    "session.required",
    { token: "" },
  ],
];

describe("a hostile body", () => {
  test.each(
    bodies,
  )("a body %s is refused and stores nothing", async (_title, body, error, headers = {}) => {
    const answer = await sendRefused(world, person, body(), headers);
    expect([answer.error, answer.status < 500]).toEqual([error, true]);
  });
});

describe("a hostile file name", () => {
  test.each([
    ["that is a path", "../../../../etc/passwd"],
    ["with NUL", "voucher\0.png"],
    ["of 10 000 letters", `${"a".repeat(10_000)}.png`],
    ["of a script", "voucher.php"],
    ["with a right-to-left override", "gnp.\u202erehcuov"],
    ["that is empty", ""],
  ])("a file name %s is never used", async (_title, filename) => {
    const { qr_text: qrText } = await draw(world, person);
    const before = new Set(world.files());
    const parts = [...withoutImage(), image({ filename, value: await specimen(qrText) })];
    const answer = await send(world.app, person, multipart(parts));
    if (answer.error === null) {
      const newFiles = world.files().filter((file) => !before.has(file));
      expect(newFiles).toEqual([expect.stringMatching(/^[0-9a-z]{9}-[0-9a-f]{32}$/)]);
    } else {
      expect([answer.status < 500, new Set(world.files())]).toEqual([true, before]);
    }
  });
});
test("a hundred concurrent uploads are answered, and only accepted ones are stored", async () => {
  const otherPerson = newPerson();
  const { qr_text: qrText } = await draw(world, otherPerson);
  const picture = await specimen(qrText);
  const before = world.files().length;
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      send(
        world.app,
        { ...otherPerson, token: `${otherPerson.userId}/${newKey()}` },
        multipart(createForm(picture)),
      ),
    ),
  );
  const names = new Set(answers.map(({ error }) => error));
  expect(
    [...names].every(
      (name) => name === null || name === "server.unavailable" || name === "request.too_many",
    ),
  ).toBe(true);
  const acceptedCount = answers.filter(({ error }) => error === null).length;
  expect(acceptedCount).toBeGreaterThan(0);
  expect(world.files().length).toBe(before + acceptedCount);
});
