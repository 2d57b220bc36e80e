import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createOperatorWorld, type OperatorWorld, type Person } from "#server/operator/testing.ts";
import { giveTestPassphrase, testPassphrase } from "#server/testing/passphrase.ts";
import { addKey, elevatedAnswer, elevateWith, factors, post } from "./testing.ts";

let world: OperatorWorld;
let owner: Person;
/** A publisher without a factor, new for each test. */
let person: Person;

beforeAll(async () => {
  world = await createOperatorWorld();
  owner = await world.operator("owner");
});
afterAll(() => world.close());
beforeEach(async () => {
  world.ctx.realClock.advanceMs(61_000);
  person = await world.operator("publisher", owner, false);
});

describe("a passphrase", () => {
  const passphrase = testPassphrase;
  beforeEach(() => giveTestPassphrase(world.ctx, person.userId));

  test.each([
    ["too short", "elevenchars"],
    ["too long", "x".repeat(129)],
  ])("a passphrase that is %s is refused", async (_title, wrong) => {
    await elevateWith(world, person, { passphrase });
    expect(await post(world, person, "setPassphrase", { passphrase: wrong })).toBe(
      "operator.passphrase_length",
    );
  });

  test("a common passphrase is refused", async () => {
    await elevateWith(world, person, { passphrase });
    expect(await post(world, person, "setPassphrase", { passphrase: "P4$$word 2026" })).toBe(
      "operator.passphrase_common",
    );
  });

  test("wrong passphrases cause growing delays and count before they are checked", async () => {
    const tryPassphrase = async (input: string) =>
      elevateWith(world, person, { passphrase: input });
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect(await tryPassphrase("wrong passphrase")).toBe("operator.passphrase_wrong");
    expect(await tryPassphrase(passphrase)).toBe("operator.passphrase_locked");
    world.ctx.realClock.advanceMs(30_000);
    expect(await tryPassphrase(passphrase)).toEqual(elevatedAnswer);
  });

  test("concurrent wrong passphrases are checked no more often than sequential ones", async () => {
    const raiseInputs = [];
    for (let index = 0; index < 8; index += 1) raiseInputs.push(await world.signedRaise(person));
    const answers = await Promise.all(
      raiseInputs.map((proof) =>
        post(world, person, "raise", { ...proof, passphrase: "wrong passphrase" }),
      ),
    );
    expect(answers.filter((answer) => answer === "operator.passphrase_wrong")).toHaveLength(4);
    expect(answers.filter((answer) => answer === "operator.passphrase_locked")).toHaveLength(4);
  });

  test("an attempt without a valid wallet signature is not counted", async () => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const forged = { ...(await world.signedRaise(person, { signer: 99 })), passphrase: "x" };
      expect(await post(world, person, "raise", forged)).toBe("session.signature_wrong");
    }
    expect(await elevateWith(world, person, { passphrase })).toEqual(elevatedAnswer);
  });

  test("a passphrase is stored as a slow hash and never in clear text", async () => {
    await elevateWith(world, person, { passphrase });
    await post(world, person, "setPassphrase", { passphrase });
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
    const raiseInput = { ...(await world.signedRaise(person)), passphrase };
    const key = world.newKey();
    const first = await world.post(person, "raise", raiseInput, key);
    expect(first.data).toEqual(elevatedAnswer);
    world.ctx.realClock.advanceMs(5_000);
    expect((await world.post(person, "raise", raiseInput, key)).data).toEqual(first.data);
    expect((await world.post(person, "raise", raiseInput)).error).toBe("session.nonce_used");
  });

  test("concurrent requests under one key are one attempt with one answer", async () => {
    const raiseInput = { ...(await world.signedRaise(person)), passphrase };
    const key = world.newKey();
    const [first, second] = await Promise.all([
      world.post(person, "raise", raiseInput, key),
      world.post(person, "raise", raiseInput, key),
    ]);
    expect(first.data).toEqual(elevatedAnswer);
    expect(second.data).toEqual(first.data);
    const repeatInput = { ...(await world.signedRaise(person)), passphrase };
    const usedKey = world.newKey();
    const answers = await Promise.all([
      world.post(person, "raise", repeatInput, usedKey),
      world.post(person, "raise", { ...repeatInput, passphrase: "another passphrase" }, usedKey),
    ]);
    expect(answers.map(({ error }) => error)).toEqual([undefined, "idempotency.body_changed"]);
  });

  test("changing the passphrase ends the elevation of other sessions only", async () => {
    const otherSession = world.again(person);
    await elevateWith(world, person, { passphrase });
    await elevateWith(world, otherSession, { passphrase });
    await post(world, person, "setPassphrase", { passphrase: "another five words" });
    const getUntil = async (session: Person) =>
      (await world.get(session, "getMe")).data.operator.raised_until_ms;
    expect(await getUntil(otherSession)).toBeNull();
    expect(await getUntil(person)).toEqual(expect.any(Number));
  });

  test("the passphrase cannot be removed while it is the last factor", async () => {
    await elevateWith(world, person, { passphrase });
    expect(await post(world, person, "removePassphrase")).toBe("operator.last_factor");
    await addKey(world, person, "One");
    expect(await post(world, person, "removePassphrase")).toBe("operator.last_factor");
    await addKey(world, person, "Two");
    expect(await post(world, person, "removePassphrase")).toEqual({});
    expect(await factors(world, person)).toMatchObject({ ready: true, passphrase: null });
  });
});
