import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { deleteAccount, getDeletion, getDeletionReceipt, getExport } from "#api/account.ts";
import { startOver } from "#api/attempts.ts";
import type { AnswerOf, Call } from "#api/call.ts";
import { excludeMyself, getContractDetails, placeOrder, setLossLimit } from "#api/contracts.ts";
import { setPin } from "#api/pin.ts";
import { getUserInfo } from "#api/session.ts";
import { addAddress, withdraw } from "#api/withdraw.ts";
import { encodeAddress } from "#core/addresses/address.ts";
import { createDeletion } from "#server/account/deletion.ts";
import type { World } from "#server/app/modules.ts";
import type { App } from "#server/platform/http/context.ts";
import { type createClient, newKey, signIn, type TestSession } from "#server/testing/client.ts";
import { createTestApp, listenForClient, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";

/** Export and deletion of everything held about a person, in a whole world. */
let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
let client: ReturnType<typeof createClient>;
let key: ReturnType<typeof privateKeyToAccount>;
let person: TestSession;
let termsHash: string;

beforeAll(async () => {
  ({ ctx, world, app, close } = await createTestApp());
  client = await listenForClient(app);
  await seconds(3);
  const { data } = (
    await app.inject({ url: `${getContractDetails.path}?contract_id=btc-usdt` })
  ).json();
  termsHash = data.terms.terms_hash;
});
afterAll(async () => {
  client.close();
  await close();
});
beforeEach(async () => {
  ctx.realClock.advanceMs(120_000);
  key = privateKeyToAccount(generatePrivateKey());
  person = await signIn(client, key);
});

async function seconds(count: number) {
  for (let n = 0; n < count; n += 1) {
    ctx.realClock.advanceMs(1_000);
    ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);
    await world.services.market.feed.tick();
  }
  await world.services.transparencyLog.integrate();
  await world.services.contracts.settleDue();
}

interface Answer<C> {
  code: number;
  error?: string;
  data: AnswerOf<C>;
}
async function call<C extends Call>(
  { method, path }: C,
  input: Record<string, string | number> = {},
  { token = person.token, language = "en" } = {},
): Promise<Answer<C>> {
  const query = method === "GET" ? `?${new URLSearchParams(input as Record<string, string>)}` : "";
  const answer = await app.inject({
    method,
    url: path + query,
    headers: { token, "idempotency-key": newKey(), language },
    ...(method === "POST" ? { payload: input } : {}),
  });
  return answer.json();
}

const someAddress = () => encodeAddress("peth", randomBytes(20));
const leave = (amount = "100") => call(withdraw, { coin: "pUSDT", amount, address: someAddress() });
const order = (input: { tier?: number } = {}) =>
  call(placeOrder, {
    contract_id: "btc-usdt",
    direction: "up",
    stake: "10",
    tier: 300,
    terms_hash: termsHash,
    ...input,
  });
const remove = (input: Record<string, string> = {}) =>
  call(deleteAccount, { word: "delete", receipt_id: randomUUID(), ...input });
const item = async (statement: string, values: unknown[] = []) =>
  (await ctx.owner.pool.query(statement, values)).rows[0];

describe("export", () => {
  const openPage = async (language = "en") => {
    const answer = await app.inject({
      url: getExport.path,
      headers: { token: person.token, language },
    });
    expect(answer.headers["content-type"]).toBe("application/zip");
    const files = unzipSync(new Uint8Array(answer.rawPayload));
    return Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString("utf8")]),
    );
  };

  test("an export holds every domain's data and every posting, labelled as practice", async () => {
    await call(addAddress, { name: "Zoë’s desk", address: someAddress() });
    await leave();
    await order();
    const files = await openPage("de");
    for (const { name } of world.services.account.personalData()) {
      expect(Object.keys(files)).toContain(`${name}.json`);
      expect(files["README.txt"]).toContain(`${name}.json\n  `);
    }
    expect(files["README.txt"]).toContain("Alles, was diese Instanz über Sie speichert");
    expect(files["README.txt"]).not.toContain("archive.");
    for (const [name, text] of Object.entries(files)) {
      if (!name.endsWith(".json")) continue;
      expect(JSON.parse(text), name).toMatchObject({
        practice: true,
        backing: "none",
        world: "test-world",
        user_id: person.userId,
      });
    }
    const account = JSON.parse(files["account.json"]!).data;
    expect(account.address).toBe(key.address.toLowerCase());
    expect(account.authorisations[0].text.length).toBeGreaterThan(100);
    expect(files["address_book.json"]).toContain("Zoë’s desk");
    expect(JSON.parse(files["wallet/withdrawals.json"]!).rows[0].address).toMatch(/^peth1/);
    expect(JSON.parse(files["contracts/orders.json"]!).rows.length).toBe(1);
    const rows = files["postings.csv"]!.trim().split("\r\n").slice(1);
    const { count } = await item(
      "select count(*)::int as count from entry e join account a on a.id = e.account where a.owner = $1",
      [person.userId],
    );
    expect(rows.length).toBe(count);
    for (const row of rows) expect(row).toMatch(/^"practice, backed by nothing",test-world,/);
  });

  test("an export is limited to one a minute, with the seconds to wait", async () => {
    await openPage();
    const answer = await app.inject({ url: getExport.path, headers: { token: person.token } });
    expect(answer.json().error).toBe("account.export_too_soon");
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(50);
    ctx.realClock.advanceMs(61_000);
    await openPage();
  });

  test("an export requires a session", async () => {
    expect((await app.inject({ url: getExport.path })).json().error).toBe("session.required");
  });
});

describe("the preview of a deletion", () => {
  test("the preview lists what is cancelled, what runs off and what stays", async () => {
    await leave();
    await order();
    await seconds(1);
    await leave("200");
    const { data } = await call(getDeletion, {}, { language: "ja" });
    expect(data).toMatchObject({
      word: "削除",
      pin_required: false,
      sessions: 1,
      withdrawals_cancelled: 2,
      withdrawals_leaving: 0,
      recharges_cancelled: 0,
      running: { contract: 1, hosting: 0, mining: 0 },
      exclusion: null,
    });
    expect(data.postings_kept).toBeGreaterThan(3);
  });
});

describe("deletion", () => {
  test.each<[string, Record<string, string>, string]>([
    ["another word", { word: "delete it" }, "account.word_wrong"],
    ["no word", { word: "" }, "account.word_wrong"],
    ["no receipt id", { receipt_id: "mine" }, "request.malformed"],
  ])("a deletion with %s is refused and changes nothing", async (_title, input, error) => {
    expect((await remove(input)).error).toBe(error);
    expect((await call(getUserInfo)).data.address).toBe(key.address);
  });

  test("a deletion asks for the PIN if one is set", async () => {
    await call(setPin, { pin: "135790" });
    expect((await call(getDeletion)).data.pin_required).toBe(true);
    expect((await remove()).error).toBe("pin.required");
    expect((await remove({ pin: "000000" })).error).toBe("pin.wrong");
    expect((await remove({ pin: "135790" })).code).toBe(1);
  });

  test("the confirmation word is accepted in any language and in either case", async () => {
    expect((await remove({ word: " LÖSCHEN " })).code).toBe(1);
  });

  test("a deletion ends sessions, cancels pending withdrawals and returns a receipt", async () => {
    const otherSession = await signIn(client, key);
    expect(otherSession.userId).toBe(person.userId);
    await leave();
    const receiptId = randomUUID();
    const { data: receipt } = await remove({ receipt_id: receiptId });
    expect(receipt).toMatchObject({
      practice: true,
      receipt_id: receiptId,
      user_id: person.userId,
      sessions_ended: 2,
      withdrawals_cancelled: 1,
    });
    expect(receipt.erased.map(({ what }: { what: string }) => what)).toEqual([
      ...world.services.account.personalData().map(({ name }) => name),
    ]);
    for (const { token } of [person, otherSession]) {
      expect((await call(getUserInfo, {}, { token })).error).toBe("session.required");
    }
    // A client that lost the answer reads it again, without a session.
    const repeated = await app.inject({
      url: `${getDeletionReceipt.path}?receipt_id=${receiptId}`,
    });
    expect(repeated.json().data).toEqual(receipt);
    expect((await world.services.account.receipt(receiptId)).finished_at_ms).not.toBeNull();
  });

  test("postings remain without an owner, and open orders run until they settle", async () => {
    await leave();
    await order();
    const before = await item("select count(*) from entry");
    await remove();
    expect(BigInt((await item("select count(*) from entry")).count)).toBeGreaterThan(
      BigInt(before.count),
    );
    await seconds(330);
    const settledOrder = await item("select outcome from contract_order where user_id = $1", [
      person.userId,
    ]);
    expect(settledOrder.outcome).not.toBeNull();
    const { total } = await item("select total from trial_balance where coin = 'pUSDT'");
    expect(total).toBe(0n);
  }, 30_000);

  test("the same wallet signs in as a new person without the old data", async () => {
    await call(addAddress, { name: "desk", address: someAddress() });
    await remove();
    const next = await signIn(client, key);
    expect(next.userId).not.toBe(person.userId);
    const { data } = await call(getUserInfo, {}, { token: next.token });
    expect([data.address, data.attempt_number]).toEqual([key.address, 1]);
  });

  test("a deletion destroys the key, so that encrypted fields become unreadable", async () => {
    const { address_encrypted: addressBytes } = await item(
      "select address_encrypted from user_address where user_id = $1",
      [person.userId],
    );
    expect(await ctx.fieldEncryption.decryptText(person.userId, addressBytes)).toBe(
      key.address.toLowerCase(),
    );
    await remove();
    expect(await ctx.fieldEncryption.decryptText(person.userId, addressBytes)).toBeNull();
  });

  test("a deletion requires a sign-in within the last five minutes, or the PIN", async () => {
    const plan = async () => (await call(getDeletion)).data;
    expect(await plan()).toMatchObject({ pin_required: false, sign_in_again: false });
    ctx.realClock.advanceMs(5 * 60_000 + 1);
    expect(await plan()).toMatchObject({ pin_required: false, sign_in_again: true });
    expect((await remove()).error).toBe("account.sign_in_again");
    expect((await call(getUserInfo)).code).toBe(1);
    const oldPerson = person;
    person = await signIn(client, key);
    expect(
      (await call(deleteAccount, { word: "delete", receipt_id: randomUUID() }, oldPerson)).error,
    ).toBe("account.sign_in_again");
    await call(setPin, { pin: "135790" });
    ctx.realClock.advanceMs(5 * 60_000 + 1);
    expect(await plan()).toMatchObject({ pin_required: true, sign_in_again: false });
    expect((await remove()).error).toBe("pin.required");
    expect((await remove({ pin: "135790" })).code).toBe(1);
  });

  test("two concurrent deletions run once and return the same receipt", async () => {
    const answers = await Promise.all([remove(), remove()]);
    const receipts = answers.filter(({ code }) => code === 1).map(({ data }) => data.receipt_id);
    expect(new Set(receipts).size).toBe(1);
  });

  test("a receipt id of another person's deletion is refused", async () => {
    const receiptId = randomUUID();
    await remove({ receipt_id: receiptId });
    person = await signIn(client);
    expect((await remove({ receipt_id: receiptId })).error).toBe("request.malformed");
    expect((await call(getUserInfo)).code).toBe(1);
  });

  test("the job completes a deletion that was interrupted", async () => {
    await call(addAddress, { name: "desk", address: someAddress() });
    const pin = world.services.account.personalData().find(({ name }) => name === "pin")!;
    const eraseSpy = vi
      .spyOn(pin, "erase")
      .mockRejectedValueOnce(new Error("the machine went away"));
    const receiptId = randomUUID();
    expect((await remove({ receipt_id: receiptId })).error).toBe("server.failed");
    eraseSpy.mockRestore();
    // To the person the account no longer exists.
    expect((await call(getUserInfo)).error).toBe("session.required");
    expect((await world.services.account.receipt(receiptId)).finished_at_ms).toBeNull();
    await ctx.jobs.runNow("account.deletion");
    const receipt = await world.services.account.receipt(receiptId);
    expect(receipt.finished_at_ms).not.toBeNull();
    expect(receipt.erased.length).toBe(world.services.account.personalData().length);
  });

  test("a deletion is repeated when a database copy restores the account", async () => {
    await ctx.fieldEncryption.destroyKey(person.userId);
    // The state that the next process would find.
    const { account, ...deps } = world.services;
    const next = createDeletion(ctx, deps, account.personalData);
    await next.resume();
    expect((await call(getUserInfo)).error).toBe("session.required");
    expect(
      await item("select finished_at_ms from account_deletion where user_id = $1", [person.userId]),
    ).toMatchObject({ finished_at_ms: expect.anything() });
  });

  test("the job erases again after a minute what late requests wrote", async () => {
    await remove();
    await ctx.owner.pool.query(
      `insert into address_book (entry_id, user_id, network, name_encrypted, address_encrypted, added_real_ms)
       values ($1, $2, 'peth', '', '', 1)`,
      [randomUUID(), person.userId],
    );
    ctx.realClock.advanceMs(60_000);
    await ctx.jobs.runNow("account.deletion");
    const remainder = await item(
      "select count(*)::int as left from address_book where user_id = $1",
      [person.userId],
    );
    expect(remainder).toEqual({ left: 0 });
  });

  test("a deletion does not reset the wallet's daily limits", async () => {
    const { ledger, recharge } = world.services;
    for (let n = 0; n < 5; n += 1) expect((await order({ tier: 60 })).code).toBe(1);
    const { data } = await call(getUserInfo);
    expect((await call(startOver, { attempt_id: data.attempt_id })).code).toBe(1);
    const quota = await ledger.quotaId(person.userId);
    const today = Math.floor(ctx.realClock.nowMs() / 86_400_000);
    await ctx.owner.pool.query("insert into ledger_limit (key, used) values ($1, 9000000000)", [
      `until:${today}:recharge.day:${quota}`,
    ]);
    const before = person.userId;
    await remove();
    person = await signIn(client, key);
    expect(person.userId).not.toBe(before);
    expect((await order({ tier: 60 })).error).toBe("contracts.tier_used_up");
    expect((await order()).code).toBe(1);
    const next = await call(getUserInfo);
    expect((await call(startOver, { attempt_id: next.data.attempt_id })).error).toBe(
      "attempts.once_a_day",
    );
    expect((await recharge.rules(person.userId)).day_left).toBe("1000");
  });

  test("quota counts are kept under a digest of the address until their days end", async () => {
    await order({ tier: 60 });
    const quota = await world.services.ledger.quotaId(person.userId);
    const { address_index: mac } = await item(
      "select address_index from user_address where user_id = $1",
      [person.userId],
    );
    expect(quota).toMatch(/^[0-9a-f]{64}$/);
    await remove();
    const listLimitKeys = async () =>
      (await ctx.owner.pool.query("select key from ledger_limit where key like 'until:%'")).rows
        .map(({ key: text }) => text)
        .filter((text) => text.includes(quota));
    expect(await listLimitKeys()).toHaveLength(1);
    const { rows } = await ctx.owner.pool.query("select key from ledger_limit");
    const keys = rows.map(({ key: text }) => text).join();
    expect(keys).not.toContain(key.address.slice(2).toLowerCase());
    expect(keys).not.toContain(mac.toString("hex"));
    ctx.realClock.advanceMs(86_400_000);
    await ctx.jobs.runNow("ledger.quotas");
    expect(await listLimitKeys()).toEqual([]);
  });

  test("a self-exclusion carries over to the wallet's next account", async () => {
    await call(excludeMyself, { period: "month" });
    const { until_ms: untilMs } = (await call(getDeletion)).data.exclusion!;
    await remove();
    person = await signIn(client, key);
    expect((await order()).error).toBe("contracts.excluded");
    expect((await call(getDeletion)).data.exclusion).toEqual({
      for_good: false,
      until_ms: untilMs,
      of_loss_limit: false,
    });
    expect(await item("select count(*)::int as kept from account_exclusion")).toEqual({ kept: 0 });
  });

  test("a daily loss limit outlives the account until its day ends, and no longer", async () => {
    await call(setLossLimit, { daily_loss_limit: "5" });
    const dayMs = 86_400_000;
    const untilMs = (Math.floor(ctx.realClock.nowMs() / dayMs) + 1) * dayMs;
    const exclusionView = { for_good: false, until_ms: untilMs, of_loss_limit: true };
    expect((await call(getDeletion)).data.exclusion).toEqual(exclusionView);
    await remove();
    person = await signIn(client, key);
    expect((await order()).error).toBe("contracts.excluded");
    await remove();
    ctx.realClock.advanceMs(untilMs - ctx.realClock.nowMs());
    person = await signIn(client, key);
    await seconds(3);
    expect((await order()).error).toBeUndefined();
  });

  test("a deletion leaves no key file", async () => {
    const files = join(ctx.config.dataDirectory, "keys/person");
    expect(existsSync(files)).toBe(true);
    await remove();
    const remainingFiles = globSync(join(files, "*", `${person.userId}*`));
    expect(remainingFiles.every((file) => file.endsWith(".gone"))).toBe(true);
  });
});
