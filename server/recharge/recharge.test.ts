import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deriveKeyJournalId } from "#core/ledger/ids.ts";
import { dayMs } from "#core/money/time.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import { createRecharges } from "#server/recharge/recharge.ts";
import {
  createForm,
  createRechargeWorld,
  draw,
  multipart,
  newPerson,
  type Person,
  type RechargeWorld,
  send,
  specimen,
} from "#server/recharge/testing.ts";
import { newKey } from "#server/testing/client.ts";

let world: RechargeWorld;
beforeAll(async () => {
  world = await createRechargeWorld();
});
afterAll(() => world.close());

const getAvailable = async ({ attemptId }: Person, coin = "pUSDT") =>
  (await world.ledger.balances(attemptId)).find((balance) => balance.coin === coin)!.available;

const get = async (person: Person, path: string, query: Record<string, string> = {}) =>
  (await world.app.inject({ url: path, query, headers: { token: person.token } })).json();
const find = async (person: Person, id: string) =>
  (await get(person, "/api/user/findRecharge", { recharge_id: id })).data;

interface Case {
  params: Parameters<typeof draw>[2];
  form?: Record<string, string>;
  ends: string;
  gains?: bigint;
}

test.each<[string, Case]>([
  ["a good voucher is credited", { params: {}, ends: "credited", gains: 100_000_000n }],
  [
    "a good voucher in pBTC is credited in pBTC",
    {
      params: { coin: "pBTC", network: "pbtc", amount: "0.01" },
      form: { coin: "pBTC", network: "pbtc", amount: "0.01" },
      ends: "credited",
      gains: 1_000_000n,
    },
  ],
  [
    "a voucher that names another network is refused",
    { params: { kind: "wrong_network" }, ends: "wrong_network" },
  ],
  [
    "a voucher of another network is credited when requested on that network",
    {
      params: { kind: "wrong_network" },
      form: { network: "ptron" },
      ends: "credited",
      gains: 100_000_000n,
    },
  ],
  ["a used voucher is refused", { params: { kind: "already_used" }, ends: "already_used" }],
  ["an expired voucher is refused", { params: { kind: "expired" }, ends: "expired" }],
  ["an altered voucher is refused", { params: { kind: "altered" }, ends: "altered" }],
  [
    "a different amount in the form is refused",
    { params: {}, form: { amount: "500" }, ends: "amount_differs" },
  ],
  [
    "a different coin in the form is refused",
    { params: {}, form: { coin: "pUSDC" }, ends: "coin_differs" },
  ],
])("%s", async (_title, { params, form = {}, ends, gains = 0n }) => {
  const person = newPerson();
  const voucher = await draw(world, person, params);
  const upload = await send(
    world.app,
    person,
    multipart(createForm(await specimen(voucher.qr_text), form)),
  );
  expect([upload.status, upload.data.status, upload.data.voucher.kind]).toEqual([
    200,
    "waiting",
    null,
  ]);
  await world.recharges.review();
  expect((await find(person, upload.data.recharge_id)).outcome).toBe(null);
  await world.review();
  const finished = await find(person, upload.data.recharge_id);
  expect([finished.status, finished.outcome === "credited" ? "credited" : finished.reason]).toEqual(
    ["over", ends],
  );
  expect(finished.voucher.kind).toBe(voucher.kind);
  expect(await getAvailable(person, form.coin ?? "pUSDT")).toBe(gains);
});

test("a recharge is waiting, then under review, then over, by world time", async () => {
  const person = newPerson();
  const { qr_text: text } = await draw(world, person);
  const { data } = await send(world.app, person, multipart(createForm(await specimen(text))));
  const states = [data.status];
  world.ctx.clock.advanceTo(world.ctx.clock.nowMs() + 3_000);
  states.push((await find(person, data.recharge_id)).status);
  world.ctx.clock.advanceTo(world.ctx.clock.nowMs() + 5_000);
  states.push((await find(person, data.recharge_id)).status);
  await world.recharges.review();
  states.push((await find(person, data.recharge_id)).status);
  expect(states).toEqual(["waiting", "closing", "closing", "over"]);
});

describe("crediting once", () => {
  test("a voucher sent twice is credited once, even by another person", async () => {
    const [first, second] = [newPerson(), newPerson()];
    const voucher = await draw(world, first);
    const body = multipart(createForm(await specimen(voucher.qr_text)));
    const answers = [await send(world.app, first, body), await send(world.app, second, body)];
    await world.review();
    const reasons = [
      (await find(first, answers[0]!.data.recharge_id)).outcome,
      (await find(second, answers[1]!.data.recharge_id)).reason,
    ];
    expect(reasons).toEqual(["credited", "already_used"]);
    expect([await getAvailable(first), await getAvailable(second)]).toEqual([100_000_000n, 0n]);
    const list = await get(first, "/api/user/getVoucherList");
    expect(list.data.items[0].used_at_ms).toBeGreaterThan(0);
  });

  test("four processes reviewing concurrently credit each recharge once", async () => {
    const people = Array.from({ length: 6 }, newPerson);
    for (const person of people) {
      const { qr_text: text } = await draw(world, person);
      await send(world.app, person, multipart(createForm(await specimen(text))));
    }
    world.ctx.clock.advanceTo(world.ctx.clock.nowMs() + 8_000);
    const decidedCounts = await Promise.all([1, 2, 3, 4].map(() => world.recharges.review()));
    expect(decidedCounts.reduce((sum, count) => sum + count, 0)).toBe(6);
    for (const person of people) expect(await getAvailable(person)).toBe(100_000_000n);
  });

  test("a recharge accepted before a restart is decided after it", async () => {
    const person = newPerson();
    const { qr_text: text } = await draw(world, person);
    await send(world.app, person, multipart(createForm(await specimen(text))));
    world.ctx.clock.advanceTo(world.ctx.clock.nowMs() + 8_000);
    const ledger = createLedger(world.ctx);
    const restartedRecharges = createRecharges(world.ctx, {
      ledger,
      market: { latest: () => null },
      imageDecoder: world.imageDecoder,
    });
    expect(await restartedRecharges.review()).toBe(1);
    await ledger.stop();
    expect(await getAvailable(person)).toBe(100_000_000n);
  });

  test("a repeated key is one recharge and one picture, and another body is refused", async () => {
    const person = newPerson();
    const { qr_text: text } = await draw(world, person);
    const image = await specimen(text);
    const key = { "idempotency-key": newKey() };
    const before = world.files().length;
    const body = multipart(createForm(image));
    const first = await send(world.app, person, body, key);
    const results = await Promise.all([1, 2].map(() => send(world.app, person, body, key)));
    const otherAnswer = await send(
      world.app,
      person,
      multipart(createForm(image, { amount: "500" })),
      key,
    );
    const picture = await send(
      world.app,
      person,
      multipart(createForm(Buffer.concat([image, Buffer.from("x")]))),
      key,
    );
    const last = await send(world.app, person, body, key);
    expect([...results, last].map(({ data }) => data.recharge_id)).toEqual(
      Array(3).fill(first.data.recharge_id),
    );
    expect([otherAnswer.error, picture.error]).toEqual(Array(2).fill("idempotency.body_changed"));
    expect(world.files().length).toBe(before + 1);
    await world.review();
    expect(await getAvailable(person)).toBe(100_000_000n);
  });

  test("a recharge's key is refused for every other money call", async () => {
    const person = newPerson();
    const { qr_text: text } = await draw(world, person);
    const key = newKey();
    const body = multipart(createForm(await specimen(text)));
    const { data } = await send(world.app, person, body, { "idempotency-key": key });
    const inOtherAttempt = async () => {
      const wallet = await world.ledger.account(person, "wallet", "pUSDT");
      const issuance = await world.ledger.account("house", "issuance", "pUSDT");
      const journal = createJournal(createMoveLegs(issuance, wallet, 1n));
      return (await world.ledger.post({ ...journal, id: data.recharge_id })).outcome;
    };
    expect(data.recharge_id).toBe(deriveKeyJournalId(person.userId, key));
    expect(await inOtherAttempt()).toBe("body_changed");
    await world.review();
    expect(await inOtherAttempt()).toBe("body_changed");
    expect(await getAvailable(person)).toBe(100_000_000n);
    const repeated = await send(world.app, person, body, { "idempotency-key": key });
    expect(repeated.data.recharge_id).toBe(data.recharge_id);
  });

  test("a key posted by another money call cannot become a recharge", async () => {
    const person = newPerson();
    const { qr_text: text } = await draw(world, person);
    const key = newKey();
    const wallet = await world.ledger.account(person, "wallet", "pUSDT");
    const issuance = await world.ledger.account("house", "issuance", "pUSDT");
    const journal = createJournal(createMoveLegs(issuance, wallet, 1n));
    await world.ledger.post({ ...journal, id: deriveKeyJournalId(person.userId, key) });
    const body = multipart(createForm(await specimen(text)));
    const answer = await send(world.app, person, body, { "idempotency-key": key });
    expect(answer.error).toBe("idempotency.body_changed");
  });

  test("a refused key returns its refusal and cannot become a recharge", async () => {
    const person = newPerson();
    const key = { "idempotency-key": newKey() };
    const body = multipart(createForm(Buffer.from("not a picture at all")));
    const answers = [
      await send(world.app, person, body, key),
      await send(world.app, person, body, key),
      await send(world.app, person, multipart(createForm(null)), key),
    ];
    expect(answers.map(({ error }) => error)).toEqual([
      "recharge.picture_type",
      "recharge.picture_type",
      "idempotency.body_changed",
    ]);
  });
});

describe("the daily limit", () => {
  test("a person may recharge 10 000 pUSDT worth per real day and sees the remainder", async () => {
    const person = newPerson();
    const recharge = async (coin: string, network: string, amount: string) => {
      const params = { coin, network, amount };
      const { qr_text: text } = await draw(world, person, params);
      const { data } = await send(
        world.app,
        person,
        multipart(createForm(await specimen(text), params)),
      );
      await world.review();
      const finished = await find(person, data.recharge_id);
      return finished.reason ?? finished.outcome;
    };
    const readRemaining = async () =>
      (await get(person, "/api/user/getRechargeRules")).data.day_left;
    expect(await readRemaining()).toBe("10000");
    expect(await recharge("pUSDT", "peth", "5000")).toBe("credited");
    expect(await recharge("pETH", "peth", "2.5")).toBe("credited");
    expect(await readRemaining()).toBe("0");
    expect(await recharge("pUSDT", "peth", "100")).toBe("over_daily_limit");
    world.ctx.realClock.advanceMs(dayMs);
    expect(await readRemaining()).toBe("10000");
    expect(await recharge("pUSDT", "peth", "100")).toBe("credited");
    expect(await readRemaining()).toBe("9900");
  });

  test("a recharge of a coin without an index is refused or waits", async () => {
    const person = newPerson();
    const params = { coin: "pBTC", network: "pbtc", amount: "0.01" };
    const { qr_text: text } = await draw(world, person, params);
    const body = multipart(createForm(await specimen(text), params));
    const key = { "idempotency-key": newKey() };
    world.setIndex({ ...world.latest, index: { "BTC/USDT": null } });
    expect((await send(world.app, person, body, key)).error).toBe("recharge.no_price");
    world.setIndex(world.latest);
    const { data } = await send(world.app, person, body, key);
    world.setIndex({ ...world.latest, index: { "BTC/USDT": null } });
    expect(await world.review()).toBe(0);
    expect((await find(person, data.recharge_id)).status).toBe("closing");
    world.setIndex(world.latest);
    expect(await world.recharges.review()).toBe(1);
    expect(await getAvailable(person, "pBTC")).toBe(1_000_000n);
  });

  test("a person may draw and send a hundred specimens per real day", async () => {
    const person = newPerson();
    await world.ctx.owner.pool.query(
      `insert into voucher (id, user_id, kind, coin, network, amount, shown_amount, expires_at_ms, drawn_at_ms, drawn_real_ms)
       select substr(md5(n::text || $1), 1, 24), $1, 'good', 'pUSDT', 'peth', 1, 1, 9e15, 0, $2 from generate_series(1, 99) n`,
      [person.userId, world.ctx.realClock.nowMs()],
    );
    await draw(world, person);
    await expect(draw(world, person)).rejects.toThrow("recharge.too_many");
    world.ctx.realClock.advanceMs(dayMs);
    await draw(world, person);
  });
});

test("starting over cancels pending recharges once and credits none", async () => {
  const person = newPerson();
  const { qr_text: text } = await draw(world, person);
  const { data } = await send(world.app, person, multipart(createForm(await specimen(text))));
  await world.recharges.cancelWaiting(person.attemptId);
  await world.recharges.cancelWaiting(person.attemptId);
  await world.review();
  const finished = await find(person, data.recharge_id);
  expect([finished.status, finished.outcome, finished.reason]).toEqual(["over", "cancelled", null]);
  expect(await getAvailable(person)).toBe(0n);
});

test("the stored picture is WebP, visible to its owner only and never as a page", async () => {
  const person = newPerson();
  const { qr_text: text } = await draw(world, person);
  const { data } = await send(world.app, person, multipart(createForm(await specimen(text))));
  const request = (token: string, id = data.recharge_id) =>
    world.app.inject({
      url: "/api/user/getRechargeImage",
      query: { recharge_id: id },
      headers: { token },
    });
  const response = await request(person.token);
  expect(response.headers).toMatchObject({
    "content-type": "image/webp",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "content-disposition": expect.stringMatching(/^attachment/),
  });
  const { width, height, exif, format } = await sharp(response.rawPayload).metadata();
  expect([format, width, height, exif]).toEqual([
    "webp",
    data.image.width,
    data.image.height,
    undefined,
  ]);
  expect((await request(newPerson().token)).json().error).toBe("recharge.unknown");
  expect((await request(person.token, "../../etc/passwd")).json().error).toBe("recharge.unknown");
  expect((await request("")).json().error).toBe("session.required");
});

test("lists cover one attempt of one person, newest first, in stable pages", async () => {
  const person = newPerson();
  const ids: string[] = [];
  const sendOne = async () => {
    const { qr_text: text } = await draw(world, person);
    const { data } = await send(world.app, person, multipart(createForm(await specimen(text))));
    ids.unshift(data.recharge_id);
  };
  for (let nth = 0; nth < 3; nth += 1) await sendOne();
  const list = async (owner: Person, query: Record<string, string>) =>
    (await get(owner, "/api/user/getRechargeList", query)).data;
  const first = await list(person, { page_size: "2" });
  await sendOne();
  const second = await list(person, { page_size: "2", page: "2", before: first.before });
  const listedIds = [...first.items, ...second.items].map(
    (recharge: { recharge_id: string }) => recharge.recharge_id,
  );
  expect(listedIds).toEqual(ids.slice(1));
  expect([first.has_more, second.has_more]).toEqual([true, false]);
  const next = { ...person, token: `${person.userId}/${randomUUID()}` };
  expect((await list(next, {})).items).toEqual([]);
  expect((await list(next, { attempt_id: person.attemptId })).items.length).toBe(4);
  expect((await list(newPerson(), { attempt_id: person.attemptId })).items).toEqual([]);
});

test("a credit's facts name voucher, kind, network and worth", async () => {
  const person = newPerson();
  const voucher = await draw(world, person);
  const { data } = await send(
    world.app,
    person,
    multipart(createForm(await specimen(voucher.qr_text))),
  );
  await world.review();
  const { journal_id: journalId } = await find(person, data.recharge_id);
  const explanations = await world.recharges.explain([journalId, randomUUID()]);
  expect([...explanations]).toEqual([
    [
      journalId,
      expect.objectContaining({
        facts: expect.objectContaining({
          voucher_id: voucher.voucher_id,
          voucher_kind: "good",
          network: "peth",
          worth: { amount: "100000000", coin: "pUSDT" },
        }),
      }),
    ],
  ]);
});

test("a picture without a recharge is swept after ten minutes", async () => {
  const { mkdirSync, writeFileSync } = await import("node:fs");
  const directory = `${world.ctx.config.dataDirectory}/blobs/${world.ctx.world.name}/recharge`;
  mkdirSync(directory, { recursive: true });
  const before = world.files();
  const idPrefix = world.ctx.realClock.nowMs().toString(36).padStart(9, "0");
  for (const end of ["", ".part"])
    writeFileSync(`${directory}/${idPrefix}-${"0".repeat(32)}${end}`, "x");
  expect(await world.recharges.sweep()).toBe(0);
  world.ctx.realClock.advanceMs(600_000);
  expect(await world.recharges.sweep()).toBe(2);
  expect(world.files().toSorted()).toEqual(before.toSorted());
});
