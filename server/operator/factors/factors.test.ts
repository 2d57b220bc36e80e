import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { dayMs } from "#core/money/time.ts";
import { codeBytes, codeHash, writeCode } from "#core/operator/code.ts";
import { elevatedMs } from "#core/operator/permissions.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { createOperatorWorld, type OperatorWorld, type Person } from "#server/operator/testing.ts";
import { giveTestPassphrase, testPassphrase } from "#server/testing/passphrase.ts";
import { resetByCommand } from "./resetByCommand.ts";
import { type Change, createSoftwareKey, type SoftwareKey } from "./softwareKey.testdata.ts";

let world: OperatorWorld;
let owner: Person;
/** A publisher without a factor, new for each test. */
let who: Person;
const passphrase = "four words nobody guesses";
const lan = "127.0.0.1:4100";

beforeAll(async () => {
  world = await createOperatorWorld();
  owner = await world.operator("owner");
});
afterAll(() => world.close());
beforeEach(async () => {
  world.ctx.realClock.advanceMs(61_000);
  who = await world.operator("publisher", owner, false);
});

const post = async (person: Person, name: string, payload: object = {}) => {
  const { error, data } = await world.post(person, name, payload);
  return error ?? data;
};
const factors = async (person: Person) => (await world.get(person, "getFactors")).data;
const elevateWith = async (person: Person, proof: object = {}) =>
  post(person, "raise", { ...(await world.signedRaise(person)), ...proof });
const elevated = { raised_until_ms: expect.any(Number) };
const aChange = () => ({ code_hash: bytesToHex(randomBytes(32)), role: "auditor" });
const getOperatorId = async (person: Person) => (await world.ids()).get(person.userId)!;

async function addKey(person: Person, name = "Blue key", change: Change = {}) {
  const key = createSoftwareKey();
  const { challenge } = (await world.get(person, "getKeyChallenge")).data;
  const answer = await post(person, "addKey", { name, ...key.create(challenge, change) });
  return { key, answer };
}

async function elevateWithKey(person: Person, key: SoftwareKey, change: Change = {}) {
  const signed = await world.signedRaise(person);
  const nonce = /\nNonce: ([0-9a-f]+)/.exec(signed.message)![1]!;
  return post(person, "raise", { ...signed, key: key.get(Buffer.from(nonce, "hex"), change) });
}

describe("an operator without a factor", () => {
  test("every change is refused and reading is allowed", async () => {
    const fresh = await createOperatorWorld();
    const first = await fresh.operator("owner", undefined, false);
    expect((await fresh.get(first, "getMe")).data.operator.factors_ready).toBe(false);
    expect((await fresh.get(first, "getOperators")).data.items[0].factors_ready).toBe(false);
    const refused = async () => (await fresh.post(first, "inviteOperator", aChange())).error;
    expect(await refused()).toBe("operator.factor_required");
    const signed = await fresh.signedRaise(first);
    expect((await fresh.post(first, "raise", signed)).data).toEqual(elevated);
    expect(await refused()).toBe("operator.factor_required");
    await fresh.close();
  });

  test("the first factor takes only the signature, and elevation then requires it", async () => {
    expect(await factors(who)).toEqual({
      ready: false,
      needed: "signature",
      passphrase: null,
      keys: [],
      rp_id: "localhost",
    });
    expect(await post(who, "setPassphrase", { passphrase })).toBe("operator.raise_required");
    expect(await elevateWith(who)).toEqual(elevated);
    expect(await post(who, "setPassphrase", { passphrase })).toEqual({});
    expect(await factors(who)).toMatchObject({ ready: true, needed: "factor" });
    expect(await elevateWith(who)).toBe("operator.proof_required");
    expect(await elevateWith(who, { passphrase: `${passphrase}!` })).toBe(
      "operator.passphrase_wrong",
    );
    expect(await elevateWith(who, { passphrase })).toEqual(elevated);
  });

  test("an elevation for setup ends when the factor is ready", async () => {
    const elsewhere = world.again(who);
    await elevateWith(who);
    await elevateWith(elsewhere);
    await post(who, "setPassphrase", { passphrase });
    for (const session of [who, elsewhere]) {
      const { data } = await world.get(session, "getMe");
      expect(data.operator).toMatchObject({ factors_ready: true, raised_until_ms: null });
      expect(await post(session, "setPassphrase", { passphrase: "one of the thief’s own" })).toBe(
        "operator.raise_required",
      );
    }
  });

  test("of two sessions that set up a factor concurrently one wins", async () => {
    const elsewhere = world.again(who);
    await elevateWith(who);
    const signed = await world.signedRaise(elsewhere);
    const [, late] = await Promise.all([
      world.post(who, "setPassphrase", { passphrase }),
      world.post(elsewhere, "raise", signed),
    ]);
    // Either it came first and was ended, or it came second and was refused.
    if (late.error) expect(late.error).toBe("operator.proof_required");
    const { data } = await world.get(elsewhere, "getMe");
    expect(data.operator.raised_until_ms).toBeNull();
  });
});

test("a proof is checked again in the transaction that elevates", async () => {
  const { factors: service } = world.service;
  const id = await getOperatorId(who);
  const prove = (input: object) => service.prove(id, input, randomBytes(16), null);
  const stands = (proof: Awaited<ReturnType<typeof prove>>) =>
    world.ctx.database.db
      .transaction()
      .execute((tx) => service.requireStillProven(tx, id, proof))
      .then(() => "stands")
      .catch(({ error }) => error);
  const bySignature = await prove({});
  expect(await stands(bySignature)).toBe("stands");
  await giveTestPassphrase(world.ctx, who.userId);
  expect(await stands(bySignature)).toBe("operator.proof_required");
  const byPassphrase = await prove({ passphrase: testPassphrase });
  expect(await stands(byPassphrase)).toBe("stands");
  await sql`update operator_passphrase set set_at_ms = 1 where operator_id = ${id}`.execute(
    world.ctx.owner.db,
  );
  expect(await stands(byPassphrase)).toBe("operator.proof_required");
});

describe("a passphrase", () => {
  const passphrase = testPassphrase;
  beforeEach(() => giveTestPassphrase(world.ctx, who.userId));

  test.each([
    ["too short", "elevenchars"],
    ["too long", "x".repeat(129)],
  ])("a passphrase that is %s is refused", async (_title, wrong) => {
    await elevateWith(who, { passphrase });
    expect(await post(who, "setPassphrase", { passphrase: wrong })).toBe(
      "operator.passphrase_length",
    );
  });

  test("a common passphrase is refused", async () => {
    await elevateWith(who, { passphrase });
    expect(await post(who, "setPassphrase", { passphrase: "P4$$word 2026" })).toBe(
      "operator.passphrase_common",
    );
  });

  test("wrong passphrases cause growing delays and count before they are checked", async () => {
    const tryPassphrase = async (typed: string) => elevateWith(who, { passphrase: typed });
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect(await tryPassphrase("wrong passphrase")).toBe("operator.passphrase_wrong");
    expect(await tryPassphrase(passphrase)).toBe("operator.passphrase_locked");
    world.ctx.realClock.advanceMs(30_000);
    expect(await tryPassphrase(passphrase)).toEqual(elevated);
  });

  test("concurrent wrong passphrases are checked no more often than sequential ones", async () => {
    const signed = [];
    for (let at = 0; at < 8; at += 1) signed.push(await world.signedRaise(who));
    const answers = await Promise.all(
      signed.map((one) => post(who, "raise", { ...one, passphrase: "wrong passphrase" })),
    );
    expect(answers.filter((one) => one === "operator.passphrase_wrong")).toHaveLength(4);
    expect(answers.filter((one) => one === "operator.passphrase_locked")).toHaveLength(4);
  });

  test("an attempt without a valid wallet signature is not counted", async () => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const forged = { ...(await world.signedRaise(who, { signer: 99 })), passphrase: "x" };
      expect(await post(who, "raise", forged)).toBe("session.signature_wrong");
    }
    expect(await elevateWith(who, { passphrase })).toEqual(elevated);
  });

  test("a passphrase is stored as a slow hash and never in clear text", async () => {
    await elevateWith(who, { passphrase });
    await post(who, "setPassphrase", { passphrase });
    const { rows } = await sql<{ all_text: string }>`
      select coalesce(string_agg(t::text, ' '), '') as all_text from (
        select p::text as t from operator_passphrase p union all
        select c::text from operator_call c union all select x::text from operator_audit_event_text x
      ) all_rows`.execute(world.ctx.owner.db);
    expect(rows[0]!.all_text).toContain("scrypt/15/8/3");
    for (const form of [passphrase, Buffer.from(passphrase).toString("hex")])
      expect(rows[0]!.all_text).not.toContain(form);
  });

  test("a repeated elevation request returns the first answer and counts once", async () => {
    const signed = { ...(await world.signedRaise(who)), passphrase };
    const key = world.newKey();
    const first = await world.post(who, "raise", signed, key);
    expect(first.data).toEqual(elevated);
    world.ctx.realClock.advanceMs(5_000);
    expect((await world.post(who, "raise", signed, key)).data).toEqual(first.data);
    expect((await world.post(who, "raise", signed)).error).toBe("session.nonce_used");
  });

  test("concurrent requests under one key are one attempt with one answer", async () => {
    const signed = { ...(await world.signedRaise(who)), passphrase };
    const key = world.newKey();
    const [first, second] = await Promise.all([
      world.post(who, "raise", signed, key),
      world.post(who, "raise", signed, key),
    ]);
    expect(first.data).toEqual(elevated);
    expect(second.data).toEqual(first.data);
    const again = { ...(await world.signedRaise(who)), passphrase };
    const used = world.newKey();
    const answers = await Promise.all([
      world.post(who, "raise", again, used),
      world.post(who, "raise", { ...again, passphrase: "another passphrase" }, used),
    ]);
    expect(answers.map(({ error }) => error)).toEqual([undefined, "idempotency.body_changed"]);
  });

  test("changing the passphrase ends the elevation of other sessions only", async () => {
    const elsewhere = world.again(who);
    await elevateWith(who, { passphrase });
    await elevateWith(elsewhere, { passphrase });
    await post(who, "setPassphrase", { passphrase: "another five words" });
    const getUntil = async (session: Person) =>
      (await world.get(session, "getMe")).data.operator.raised_until_ms;
    expect(await getUntil(elsewhere)).toBeNull();
    expect(await getUntil(who)).toEqual(expect.any(Number));
  });

  test("the passphrase cannot be removed while it is the last factor", async () => {
    await elevateWith(who, { passphrase });
    expect(await post(who, "removePassphrase")).toBe("operator.last_factor");
    await addKey(who, "One");
    expect(await post(who, "removePassphrase")).toBe("operator.last_factor");
    await addKey(who, "Two");
    expect(await post(who, "removePassphrase")).toEqual({});
    expect(await factors(who)).toMatchObject({ ready: true, passphrase: null });
  });
});

describe("a security key", () => {
  let key: SoftwareKey;
  beforeEach(async () => {
    await elevateWith(who);
    const added = await addKey(who);
    expect(added.answer).toEqual({ key_id: expect.any(String) });
    key = added.key;
  });

  test("a second key is required, within the same elevation", async () => {
    expect(await factors(who)).toMatchObject({ ready: false, needed: "factor" });
    await addKey(who, "Red key");
    const { ready, keys } = await factors(who);
    expect(ready).toBe(true);
    expect(keys).toMatchObject([
      { name: "Blue key", rp_id: "localhost", transports: ["usb"], last_used_at_ms: null },
      { name: "Red key" },
    ]);
    expect((await world.get(who, "getMe")).data.operator.raised_until_ms).toBeNull();
  });

  test("a key elevates with its answer to the nonce, and its use is recorded", async () => {
    expect(await elevateWithKey(who, key)).toEqual(elevated);
    const [{ last_used_at_ms: usedAtMs }] = (await factors(who)).keys;
    expect(usedAtMs).toBeGreaterThan(world.ctx.realClock.nowMs() - 10_000);
  });

  test.each<[string, Change]>([
    ["for another page", { origin: "http://localhost:4200" }],
    ["for another host", { rpId: "evil.example" }],
    ["without the user being verified", { userVerified: false }],
    ["to a registration", { type: "webauthn.create" }],
  ])("a key's answer %s does not elevate", async (_title, change) => {
    expect(await elevateWithKey(who, key, change)).toBe("operator.key_wrong");
    expect(await elevateWithKey(who, key)).toEqual(elevated);
  });

  test("an answer to another nonce or from another or unknown key is refused", async () => {
    const other = await world.signedRaise(who);
    expect(await post(who, "raise", { ...other, key: key.get(randomBytes(16)) })).toBe(
      "operator.key_wrong",
    );
    expect(await elevateWithKey(who, createSoftwareKey())).toBe("operator.key_wrong");
    await elevateWith(owner, { passphrase: testPassphrase });
    const owners = await addKey(owner);
    expect(await elevateWithKey(who, owners.key)).toBe("operator.key_wrong");
  });

  test("a copied key is detected by its counter", async () => {
    expect(await elevateWithKey(who, key)).toEqual(elevated);
    key.counter = 0;
    expect(await elevateWithKey(who, key)).toBe("operator.key_wrong");
  });

  test("the counter may reach its 32-bit maximum", async () => {
    key.counter = 0xffffffff - 2;
    expect(await elevateWithKey(who, key)).toEqual(elevated);
    expect(await elevateWithKey(who, key)).toEqual(elevated);
    expect(key.counter).toBe(0xffffffff);
    const other = await addKey(who, "Old key", { counter: 0xffffffff });
    expect(other.answer).toEqual({ key_id: expect.any(String) });
  });

  test("a key is registered once, by the challenged session, within five minutes", async () => {
    const made = createSoftwareKey();
    const getChallenge = async (person: Person) =>
      (await world.get(person, "getKeyChallenge")).data.challenge;
    const add = async (person: Person, challenge: string, change: Change = {}) =>
      post(person, "addKey", { name: "x", ...made.create(challenge, change) });
    const challenge = await getChallenge(who);
    const elsewhere = world.again(who);
    expect(await elevateWithKey(elsewhere, key)).toEqual(elevated);
    expect(await add(elsewhere, challenge)).toBe("operator.key_wrong");
    expect(await add(who, challenge, { userVerified: false })).toBe("operator.key_wrong");
    // Used up by the attempt.
    expect(await add(who, challenge)).toBe("operator.key_wrong");
    const late = await getChallenge(who);
    world.ctx.realClock.advanceMs(5 * 60_000);
    expect(await add(who, late)).toBe("operator.key_wrong");
    expect(await add(who, randomBytes(32).toString("base64url"))).toBe("operator.key_wrong");
    expect(await add(who, await getChallenge(who))).toEqual({ key_id: expect.any(String) });
    world.ctx.realClock.advanceMs(61_000);
    await elevateWithKey(who, key);
    expect(await add(who, await getChallenge(who))).toBe("operator.key_known");
  });

  test("keys are unavailable at an IP address", async () => {
    expect((await world.get(who, "getFactors", {}, lan)).data.rp_id).toBeNull();
    const there = await world.get(who, "getKeyChallenge", {}, lan);
    expect(there.error).toBe("operator.no_keys_here");
  });

  test("at most ten keys are registered", async () => {
    world.ctx.realClock.advanceMs(61_000);
    await elevateWithKey(who, key);
    for (let number = 2; number <= 10; number += 1) {
      world.ctx.realClock.advanceMs(7_000);
      expect((await addKey(who, `Key ${number}`)).answer).toEqual({ key_id: expect.any(String) });
      if (number === 2) await elevateWithKey(who, key);
    }
    const eleventh = await world.get(who, "getKeyChallenge");
    expect(eleventh.error).toBe("operator.too_many_keys");
  });

  test("the second-last key and another person's key cannot be removed", async () => {
    await addKey(who, "Red key");
    await elevateWithKey(who, key);
    const [first] = (await factors(who)).keys;
    expect(await post(who, "removeKey", { key_id: first.key_id })).toBe("operator.last_factor");
    await addKey(who, "Third");
    expect(await post(owner, "removeKey", { key_id: first.key_id })).toMatch(
      /^operator\.(key_unknown|raise_required)$/,
    );
    expect(await post(who, "removeKey", { key_id: first.key_id })).toEqual({});
    expect(await elevateWithKey(who, key)).toBe("operator.key_wrong");
  });
});

describe("a lost factor", () => {
  let code: string;
  const reset = async (by: Person, of: Person) => {
    code = writeCode(randomBytes(codeBytes));
    return world.post(by, "resetFactors", {
      operator_id: await getOperatorId(of),
      code_hash: bytesToHex(codeHash(code)!),
      why: "Lost their phone",
    });
  };
  const passphrase = testPassphrase;
  beforeEach(async () => {
    await giveTestPassphrase(world.ctx, who.userId);
    await elevateWith(owner, { passphrase });
  });

  test("another owner resets a factor with a code, and the person is notified", async () => {
    await elevateWith(who, { passphrase });
    const { data } = await reset(owner, who);
    expect(data.expires_at_ms).toBe(world.ctx.realClock.nowMs() + dayMs);
    expect(world.notified.at(-1)).toMatchObject({
      userId: who.userId,
      role: "Owner",
      what: "Console second factor reset",
      why: "Lost their phone",
    });
    const { data: me } = await world.get(who, "getMe");
    expect(me.operator).toMatchObject({ factors_ready: false, raised_until_ms: null });
    expect((await factors(who)).needed).toBe("code");
    expect(await elevateWith(who)).toBe("operator.code_unknown");
    expect(await elevateWith(who, { passphrase })).toBe("operator.code_unknown");
    const wrong = writeCode(randomBytes(codeBytes));
    expect(await elevateWith(who, { code: wrong })).toBe("operator.code_unknown");
    expect(await elevateWith(who, { code: code.toLowerCase() })).toEqual(elevated);
    await post(who, "setPassphrase", { passphrase: "five other words here" });
    expect(await elevateWith(who, { code })).toBe("operator.proof_required");
    expect(await elevateWith(who, { passphrase: "five other words here" })).toEqual(elevated);
  });

  test("a reset code expires after a day, and a second reset issues a new one", async () => {
    await reset(owner, who);
    world.ctx.realClock.advanceMs(dayMs - 8_000);
    world.ctx.realClock.advanceMs(8_000);
    const late = world.again(who);
    expect(await elevateWith(late, { code })).toBe("operator.code_unknown");
    const again = world.again(owner);
    await elevateWith(again, { passphrase: testPassphrase });
    const old = code;
    await reset(again, who);
    expect(await elevateWith(late, { code: old })).toBe("operator.code_unknown");
    expect(await elevateWith(late, { code })).toEqual(elevated);
    owner = again;
  });

  test("a command on the server resets a factor, and the operator is notified", async () => {
    const records = {
      recordAuditEvent: async (act: (typeof world.notified)[number]) => world.notified.push(act),
    };
    const deps = { session: { languageOf: async () => "en" as const }, records };
    const done = await resetByCommand(world.ctx, deps, who.userId);
    expect(world.notified.at(-1)).toMatchObject({
      userId: who.userId,
      what: "Console second factor reset by a command on the server",
    });
    const head = (await world.service.audit.check()).brokenAt;
    expect(head).toBeNull();
    expect(await elevateWith(who, { passphrase })).toBe("operator.code_unknown");
    expect(await elevateWith(who, { code: done!.code })).toEqual(elevated);
    expect(await resetByCommand(world.ctx, deps, (await world.person()).userId)).toBeNull();
  });

  test("only another, elevated owner can reset a factor", async () => {
    expect((await reset(owner, owner)).error).toBe("operator.reset_of_oneself");
    await elevateWith(who, { passphrase });
    expect((await reset(who, owner)).error).toBe("operator.not_permitted");
    world.ctx.realClock.advanceMs(elevatedMs);
    expect((await reset(owner, who)).error).toBe("operator.raise_required");
    expect((await factors(who)).ready).toBe(true);
  });
});

test("each change of a factor is audited, and elevation with its factor", async () => {
  const before = (await world.service.audit.head()).seq;
  await elevateWith(who);
  await addKey(who);
  await post(who, "setPassphrase", { passphrase });
  await elevateWith(who, { passphrase });
  const [{ key_id: keyId }] = (await factors(who)).keys;
  await post(who, "removeKey", { key_id: keyId });
  const mine = { operatorId: await getOperatorId(who) };
  const entries = await world.service.audit.page(mine, { before: null, limit: 20, skip: 0 });
  expect(
    entries.filter(({ seq }) => seq > before).map(({ what, details }) => [what, details]),
  ).toEqual([
    ["operators.key_removed", null],
    ["operators.raised", { with: "passphrase" }],
    ["operators.passphrase_set", null],
    ["operators.key_added", null],
    ["operators.raised", { with: "signature" }],
  ]);
});

test("an operator who leaves loses their factors, and the export lists them", async () => {
  await elevateWith(who);
  await addKey(who, "A key of mine");
  await post(who, "setPassphrase", { passphrase });
  const exported = JSON.stringify(await world.service.exportFor(who.userId));
  expect(exported).toContain("A key of mine");
  expect(exported).not.toContain("scrypt");
  const id = await getOperatorId(who);
  await world.post(who, "leave", {});
  const { rows } = await sql<{ left_over: bigint }>`
    select (select count(*) from operator_key where operator_id = ${id})
      + (select count(*) from operator_passphrase where operator_id = ${id}) as left_over`.execute(
    world.ctx.owner.db,
  );
  expect(Number(rows[0]!.left_over)).toBe(0);
});

test("erasing a person during setup leaves no factor", async () => {
  const { db } = world.ctx.owner;
  const id = await getOperatorId(who);
  const hash = await world.service.factors.passphrases.make(passphrase);
  const { erasing } = await db.transaction().execute(async (tx) => {
    await sql`select from operator where operator_id = ${id} for update`.execute(tx);
    const erasing = world.service.erase(who.userId);
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(
        tx,
      );
      expect(rows).toHaveLength(1);
    }, 10_000);
    await world.service.factors.passphrases.set(tx, id, hash);
    return { erasing };
  });
  await erasing;
  const { rows } = await sql`select from operator_passphrase where operator_id = ${id}`.execute(db);
  expect(rows).toHaveLength(0);
});
