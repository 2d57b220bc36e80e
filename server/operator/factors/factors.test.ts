import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { dayMs } from "#core/money/time.ts";
import { codeBytes, hashCode, writeCode } from "#core/operator/code.ts";
import { elevatedMs } from "#core/operator/permissions.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { createOperatorWorld, type OperatorWorld, type Person } from "#server/operator/testing.ts";
import { giveTestPassphrase, testPassphrase } from "#server/testing/passphrase.ts";
import { resetByCommand } from "./resetByCommand.ts";
import { addKey, elevatedAnswer, elevateWith, factors, getOperatorId, post } from "./testing.ts";

let world: OperatorWorld;
let owner: Person;
/** A publisher without a factor, new for each test. */
let person: Person;
const passphrase = "four words nobody guesses";

beforeAll(async () => {
  world = await createOperatorWorld();
  owner = await world.operator("owner");
});
afterAll(() => world.close());
beforeEach(async () => {
  world.ctx.realClock.advanceMs(61_000);
  person = await world.operator("publisher", owner, false);
});

const aChange = () => ({ code_hash: bytesToHex(randomBytes(32)), role: "auditor" });

describe("an operator without a factor", () => {
  test("every change is refused and reading is allowed", async () => {
    const freshWorld = await createOperatorWorld();
    const first = await freshWorld.operator("owner", undefined, false);
    expect((await freshWorld.get(first, "getMe")).data.operator.factors_ready).toBe(false);
    expect((await freshWorld.get(first, "getOperators")).data.items[0].factors_ready).toBe(false);
    const getRefusal = async () =>
      (await freshWorld.post(first, "inviteOperator", aChange())).error;
    expect(await getRefusal()).toBe("operator.factor_required");
    const raiseInput = await freshWorld.signedRaise(first);
    expect((await freshWorld.post(first, "raise", raiseInput)).data).toEqual(elevatedAnswer);
    expect(await getRefusal()).toBe("operator.factor_required");
    await freshWorld.close();
  });

  test("the first factor takes only the signature, and elevation then requires it", async () => {
    expect(await factors(world, person)).toEqual({
      ready: false,
      needed: "signature",
      passphrase: null,
      keys: [],
      rp_id: "localhost",
    });
    expect(await post(world, person, "setPassphrase", { passphrase })).toBe(
      "operator.raise_required",
    );
    expect(await elevateWith(world, person)).toEqual(elevatedAnswer);
    expect(await post(world, person, "setPassphrase", { passphrase })).toEqual({});
    expect(await factors(world, person)).toMatchObject({ ready: true, needed: "factor" });
    expect(await elevateWith(world, person)).toBe("operator.proof_required");
    expect(await elevateWith(world, person, { passphrase: `${passphrase}!` })).toBe(
      "operator.passphrase_wrong",
    );
    expect(await elevateWith(world, person, { passphrase })).toEqual(elevatedAnswer);
  });

  test("an elevation for setup ends when the factor is ready", async () => {
    const otherSession = world.again(person);
    await elevateWith(world, person);
    await elevateWith(world, otherSession);
    await post(world, person, "setPassphrase", { passphrase });
    for (const session of [person, otherSession]) {
      const { data } = await world.get(session, "getMe");
      expect(data.operator).toMatchObject({ factors_ready: true, raised_until_ms: null });
      expect(
        await post(world, session, "setPassphrase", { passphrase: "one of the thief’s own" }),
      ).toBe("operator.raise_required");
    }
  });

  test("of two sessions that set up a factor concurrently one wins", async () => {
    const otherSession = world.again(person);
    await elevateWith(world, person);
    const raiseInput = await world.signedRaise(otherSession);
    const [, lateAnswer] = await Promise.all([
      world.post(person, "setPassphrase", { passphrase }),
      world.post(otherSession, "raise", raiseInput),
    ]);
    // Either the elevation came first and was ended, or it came second and was refused.
    if (lateAnswer.error) expect(lateAnswer.error).toBe("operator.proof_required");
    const { data } = await world.get(otherSession, "getMe");
    expect(data.operator.raised_until_ms).toBeNull();
  });
});

test("a proof is rechecked in the transaction that elevates", async () => {
  const { factors: service } = world.service;
  const id = await getOperatorId(world, person);
  const prove = (input: object) => service.prove(id, input, randomBytes(16), null);
  const proofStands = (proof: Awaited<ReturnType<typeof prove>>) =>
    world.ctx.database.db
      .transaction()
      .execute((tx) => service.requireStillProven(tx, id, proof))
      .then(() => "stands")
      .catch(({ error }) => error);
  const bySignature = await prove({});
  expect(await proofStands(bySignature)).toBe("stands");
  await giveTestPassphrase(world.ctx, person.userId);
  expect(await proofStands(bySignature)).toBe("operator.proof_required");
  const byPassphrase = await prove({ passphrase: testPassphrase });
  expect(await proofStands(byPassphrase)).toBe("stands");
  await sql`update operator_passphrase set set_at_ms = 1 where operator_id = ${id}`.execute(
    world.ctx.owner.db,
  );
  expect(await proofStands(byPassphrase)).toBe("operator.proof_required");
});

describe("a lost factor", () => {
  let code: string;
  const reset = async (owner: Person, target: Person) => {
    code = writeCode(randomBytes(codeBytes));
    return world.post(owner, "resetFactors", {
      operator_id: await getOperatorId(world, target),
      code_hash: bytesToHex(hashCode(code)!),
      why: "Lost their phone",
    });
  };
  const passphrase = testPassphrase;
  beforeEach(async () => {
    await giveTestPassphrase(world.ctx, person.userId);
    await elevateWith(world, owner, { passphrase });
  });

  test("another owner resets a factor with a code, and the person is notified", async () => {
    await elevateWith(world, person, { passphrase });
    const { data } = await reset(owner, person);
    expect(data.expires_at_ms).toBe(world.ctx.realClock.nowMs() + dayMs);
    expect(world.notified.at(-1)).toMatchObject({
      userId: person.userId,
      role: "Owner",
      what: "Console second factor reset",
      why: "Lost their phone",
    });
    const { data: operatorView } = await world.get(person, "getMe");
    expect(operatorView.operator).toMatchObject({ factors_ready: false, raised_until_ms: null });
    expect((await factors(world, person)).needed).toBe("code");
    expect(await elevateWith(world, person)).toBe("operator.code_unknown");
    expect(await elevateWith(world, person, { passphrase })).toBe("operator.code_unknown");
    const wrongCode = writeCode(randomBytes(codeBytes));
    expect(await elevateWith(world, person, { code: wrongCode })).toBe("operator.code_unknown");
    expect(await elevateWith(world, person, { code: code.toLowerCase() })).toEqual(elevatedAnswer);
    await post(world, person, "setPassphrase", { passphrase: "five other words here" });
    expect(await elevateWith(world, person, { code })).toBe("operator.proof_required");
    expect(await elevateWith(world, person, { passphrase: "five other words here" })).toEqual(
      elevatedAnswer,
    );
  });

  test("a reset code expires after a day, and a second reset issues a new one", async () => {
    await reset(owner, person);
    world.ctx.realClock.advanceMs(dayMs - 8_000);
    world.ctx.realClock.advanceMs(8_000);
    const laterSession = world.again(person);
    expect(await elevateWith(world, laterSession, { code })).toBe("operator.code_unknown");
    const newSession = world.again(owner);
    await elevateWith(world, newSession, { passphrase: testPassphrase });
    const oldCode = code;
    await reset(newSession, person);
    expect(await elevateWith(world, laterSession, { code: oldCode })).toBe("operator.code_unknown");
    expect(await elevateWith(world, laterSession, { code })).toEqual(elevatedAnswer);
    owner = newSession;
  });

  test("a command on the server resets a factor, and the operator is notified", async () => {
    const records = {
      recordAuditEvent: async (act: (typeof world.notified)[number]) => world.notified.push(act),
    };
    const deps = { session: { languageOf: async () => "en" as const }, records };
    const reset = await resetByCommand(world.ctx, deps, person.userId);
    expect(world.notified.at(-1)).toMatchObject({
      userId: person.userId,
      what: "Console second factor reset by a command on the server",
    });
    const head = (await world.service.audit.check()).brokenAt;
    expect(head).toBeNull();
    expect(await elevateWith(world, person, { passphrase })).toBe("operator.code_unknown");
    expect(await elevateWith(world, person, { code: reset!.code })).toEqual(elevatedAnswer);
    expect(await resetByCommand(world.ctx, deps, (await world.person()).userId)).toBeNull();
  });

  test("only another, elevated owner can reset a factor", async () => {
    expect((await reset(owner, owner)).error).toBe("operator.reset_of_oneself");
    await elevateWith(world, person, { passphrase });
    expect((await reset(person, owner)).error).toBe("operator.not_permitted");
    world.ctx.realClock.advanceMs(elevatedMs);
    expect((await reset(owner, person)).error).toBe("operator.raise_required");
    expect((await factors(world, person)).ready).toBe(true);
  });
});

test("each change of a factor is audited, and elevation with its factor", async () => {
  const before = (await world.service.audit.head()).seq;
  await elevateWith(world, person);
  await addKey(world, person);
  await post(world, person, "setPassphrase", { passphrase });
  await elevateWith(world, person, { passphrase });
  const [{ key_id: keyId }] = (await factors(world, person)).keys;
  await post(world, person, "removeKey", { key_id: keyId });
  const ownKey = { operatorId: await getOperatorId(world, person) };
  const entries = await world.service.audit.page(ownKey, { before: null, limit: 20, skip: 0 });
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
  await elevateWith(world, person);
  await addKey(world, person, "A key of mine");
  await post(world, person, "setPassphrase", { passphrase });
  const exportText = JSON.stringify(await world.service.exportFor(person.userId));
  expect(exportText).toContain("A key of mine");
  expect(exportText).not.toContain("scrypt");
  const id = await getOperatorId(world, person);
  await world.post(person, "leave", {});
  const { rows } = await sql<{ left_over: bigint }>`
    select (select count(*) from operator_key where operator_id = ${id})
      + (select count(*) from operator_passphrase where operator_id = ${id}) as left_over`.execute(
    world.ctx.owner.db,
  );
  expect(Number(rows[0]!.left_over)).toBe(0);
});

test("erasing a person during setup leaves no factor", async () => {
  const { db } = world.ctx.owner;
  const id = await getOperatorId(world, person);
  const hash = await world.service.factors.passphrases.make(passphrase);
  const { erasing } = await db.transaction().execute(async (tx) => {
    await sql`select from operator where operator_id = ${id} for update`.execute(tx);
    const erasing = world.service.erase(person.userId);
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
