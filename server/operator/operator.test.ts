import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dayMs } from "#core/money/time.ts";
import { codeBytes, hashCode, writeCode } from "#core/operator/code.ts";
import { elevatedMs } from "#core/operator/permissions.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { createOperators } from "#server/operator/operator.ts";
import { createOperatorWorld, type OperatorWorld, type Person } from "#server/operator/testing.ts";
import { testPassphrase } from "#server/testing/passphrase.ts";

let world: OperatorWorld;
beforeAll(async () => {
  world = await createOperatorWorld();
});
afterAll(() => world.close());

describe("the first operator", () => {
  test("every process prints the same code for twelve hours until it is replaced", async () => {
    const oldCode = await world.service.firstCode();
    const secondService = createOperators(world.ctx, world.deps);
    expect(await secondService.firstCode()).toBe(oldCode);
    world.ctx.realClock.advanceMs(dayMs / 2);
    expect(await world.service.firstCode()).toBe(oldCode);
    world.ctx.realClock.advanceMs(1);
    const [code, sameCode] = await Promise.all([
      world.service.firstCode(),
      secondService.firstCode(),
    ]);
    expect(code).not.toBe(oldCode);
    expect(sameCode).toBe(code);
    const alice = await world.person();
    const lateClaim = await world.post(alice, "claim", { code: oldCode, name: "Alice" });
    expect(lateClaim.error).toBe("operator.code_unknown");
    const input = ` ${code!.toLowerCase().replaceAll("-", " ")} `;
    const answer = await world.post(alice, "claim", { code: input, name: "  Alice  A. " });
    expect(answer.data.operator).toMatchObject({ role: "owner", raised_until_ms: null });
    expect(await world.service.firstCode()).toBeNull();
    expect((await world.service.list()).map(({ name }) => name)).toEqual(["Alice A."]);
  });

  test("a code works for one person, and repeating it is a no-op", async () => {
    const freshWorld = await createOperatorWorld();
    const code = await freshWorld.service.firstCode();
    const [first, second] = [await freshWorld.person(), await freshWorld.person()];
    const answers = await Promise.all(
      [first, second].map((person) => freshWorld.post(person, "claim", { code, name: "x" })),
    );
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 1]);
    const winner = answers[0]!.error ? second : first;
    const repeated = await freshWorld.post(winner, "claim", { code, name: "x" });
    expect(repeated.code).toBe(1);
    expect((await freshWorld.service.audit.head()).seq).toBe(1);
    await freshWorld.close();
  });

  test("a code expires after a day", async () => {
    const freshWorld = await createOperatorWorld();
    const code = await freshWorld.service.firstCode();
    freshWorld.ctx.realClock.advanceMs(dayMs);
    const two = await freshWorld.person();
    const answer = await freshWorld.post(two, "claim", { code, name: "x" });
    expect(answer.error).toBe("operator.code_unknown");
    await freshWorld.close();
  });

  test.each(["", "x", "0".repeat(19), "U".repeat(20)])("code %j is refused", async (code) => {
    const stranger = await world.person();
    const answer = await world.post(stranger, "claim", { code: code || " ", name: "x" });
    expect(answer.error).toBe("operator.code_unknown");
  });
});

describe("operators with an owner", () => {
  let owner: Person;
  let world2: OperatorWorld;
  beforeAll(async () => {
    world2 = await createOperatorWorld();
    owner = await world2.operator("owner");
  });
  afterAll(() => world2.close());
  beforeEach(() => world2.ctx.realClock.advanceMs(61_000));

  test("permissions are elevated by a signature and expire after ten minutes", async () => {
    const { ctx } = world2;
    expect((await world2.post(owner, "inviteOperator", invitation())).error).toBe(
      "operator.raise_required",
    );
    const { data } = await world2.raise(owner);
    expect(data.raised_until_ms).toBe(ctx.realClock.nowMs() + elevatedMs);
    expect((await world2.post(owner, "inviteOperator", invitation())).code).toBe(1);
    ctx.realClock.advanceMs(elevatedMs - 120);
    expect((await world2.post(owner, "inviteOperator", invitation())).code).toBe(1);
    ctx.realClock.advanceMs(40);
    expect((await world2.post(owner, "inviteOperator", invitation())).error).toBe(
      "operator.raise_required",
    );
  });

  test("an elevation belongs to one session and can be dropped", async () => {
    await world2.raise(owner);
    const otherSession = world2.again(owner);
    expect((await world2.post(otherSession, "inviteOperator", invitation())).error).toBe(
      "operator.raise_required",
    );
    await world2.post(owner, "lower", {});
    expect((await world2.post(owner, "inviteOperator", invitation())).error).toBe(
      "operator.raise_required",
    );
  });

  test.each<[string, Parameters<OperatorWorld["raise"]>[1], string]>([
    ["the sign-in statement", { statement: "Sign in to Drydock." }, "session.message_mismatch"],
    ["another host", { domain: "evil.example" }, "session.message_mismatch"],
    ["a nonce of signing in", { nonce: "a1b2c3d4e5f6" }, "session.nonce_unknown"],
    ["another key's signature", { signer: 99 }, "session.signature_wrong"],
  ])("an elevation with %s is refused", async (_title, change, error) => {
    expect((await world2.raise(owner, change)).error).toBe(error);
    expect((await world2.get(owner, "getMe")).data.operator.raised_until_ms).toBeNull();
  });

  test("a session gets a burst of ten nonces and one more every six seconds", async () => {
    const requestNonce = async () =>
      (await world2.get(owner, "getRaiseNonce", { chain_id: "1" })).error;
    for (let number = 0; number < 10; number += 1) expect(await requestNonce()).toBeUndefined();
    expect(await requestNonce()).toBe("request.too_many");
    world2.ctx.realClock.advanceMs(6_000);
    expect(await requestNonce()).toBeUndefined();
    world2.ctx.realClock.advanceMs(61_000);
  });

  test("a nonce elevates only once", async () => {
    const first = { ...(await world2.signedRaise(owner)), passphrase: testPassphrase };
    expect((await world2.post(owner, "raise", first)).code).toBe(1);
    expect((await world2.post(owner, "raise", first)).error).toBe("session.nonce_used");
    await world2.post(owner, "lower", {});
  });

  test("a repeated key acts once, and another body under it is refused", async () => {
    await world2.raise(owner);
    const before = await world2.service.audit.head();
    const key = world2.newKey();
    const input = invitation();
    const answers = await Promise.all(
      [1, 2, 3].map(() => world2.post(owner, "inviteOperator", input, key)),
    );
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect((await world2.service.audit.head()).seq).toBe(before.seq + 1);
    const otherAnswer = await world2.post(owner, "inviteOperator", invitation(), key);
    expect(otherAnswer.error).toBe("idempotency.body_changed");
    const withoutKey = await world2.post(owner, "inviteOperator", invitation(), "");
    expect(withoutKey.error).toBe("idempotency.key_missing");
  });

  test("the last owner cannot leave, be removed or change role", async () => {
    await world2.raise(owner);
    const { operatorId } = (await world2.service.list())[0]!;
    const reason = "to see";
    const answers = [
      await world2.post(owner, "leave", {}),
      await world2.post(owner, "removeOperator", { operator_id: operatorId, why: reason }),
      await world2.post(owner, "setRole", {
        operator_id: operatorId,
        role: "support",
        why: reason,
      }),
    ];
    expect(answers.map(({ error }) => error)).toEqual(Array(3).fill("operator.last_owner"));
  });

  test("two owners who remove each other concurrently leave one", async () => {
    const otherOwner = await world2.operator("owner", owner);
    await world2.raise(owner);
    await world2.raise(otherOwner);
    const ids = await world2.ids();
    const reason = "at once";
    const answers = await Promise.all([
      world2.post(owner, "removeOperator", {
        operator_id: ids.get(otherOwner.userId),
        why: reason,
      }),
      world2.post(otherOwner, "removeOperator", {
        operator_id: ids.get(owner.userId),
        why: reason,
      }),
    ]);
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
    expect(await world2.service.list()).toHaveLength(1);
    owner = answers[0]!.code === 1 ? owner : otherOwner;
  });

  test("the scheduled publications of a former publisher are unscheduled", async () => {
    const publishers = [
      await world2.operator("publisher", owner),
      await world2.operator("publisher", owner),
      await world2.operator("publisher", owner),
    ];
    await world2.raise(owner);
    const ids = await world2.ids();
    const [removedId, leftId, movedId] = publishers.map(({ userId }) => ids.get(userId)!);
    const ownerId = ids.get(owner.userId)!;
    const before = world2.ended.length;
    const reason = "The term is over";
    await world2.post(owner, "removeOperator", { operator_id: removedId, why: reason });
    await world2.post(publishers[1]!, "leave", {});
    await world2.post(owner, "setRole", { operator_id: movedId, role: "owner", why: reason });
    await world2.post(owner, "setRole", { operator_id: movedId, role: "support", why: reason });
    expect(world2.ended.slice(before)).toEqual([
      { operatorId: removedId, by: ownerId },
      { operatorId: leftId, by: leftId },
      { operatorId: movedId, by: ownerId },
    ]);
    const { data } = await world2.get(owner, "getAudit");
    const targets = data.items.map((item: { what: string; target: string }) => item);
    for (const operatorId of [removedId, leftId, movedId]) {
      expect(targets).toContainEqual(
        expect.objectContaining({ what: "publishing.unscheduled", target: `of ${operatorId}` }),
      );
    }
  });

  test("a removed operator loses access immediately and sees why", async () => {
    const auditor = await world2.operator("auditor", owner);
    expect((await world2.get(auditor, "getAudit")).code).toBe(1);
    await world2.raise(owner);
    const ids = await world2.ids();
    const reason = "The class is over";
    await world2.post(owner, "removeOperator", {
      operator_id: ids.get(auditor.userId),
      why: reason,
    });
    expect((await world2.get(auditor, "getAudit")).error).toBe("operator.required");
    expect(world2.notified.at(-1)).toMatchObject({
      userId: auditor.userId,
      role: "Owner",
      what: "Removed as an operator",
      why: reason,
    });
  });

  test("a queued call of an operator who has been removed is not run", async () => {
    const auditor = await world2.operator("auditor", owner);
    const ids = await world2.ids();
    const operatorId = ids.get(auditor.userId)!;
    const call = {
      operator: {
        operatorId,
        userId: auditor.userId,
        role: "auditor" as const,
        factorsReady: true,
        elevatedUntilMs: null,
      },
      key: world2.newKey(),
      path: "/waited",
      input: {},
    };
    await world2.raise(owner);
    await world2.post(owner, "setRole", { operator_id: operatorId, role: "support", why: "x" });
    let count = 0;
    const run = async () => {
      count += 1;
      return { answer: {}, auditEvents: [] };
    };
    const refusal = { error: "operator.required" };
    await expect(world2.service.httpDeps.once(call, run)).rejects.toMatchObject(refusal);
    await world2.post(owner, "removeOperator", { operator_id: operatorId, why: "x" });
    await expect(world2.service.httpDeps.once(call, run)).rejects.toMatchObject(refusal);
    expect(count).toBe(0);
  });

  test("an action is rolled back when the person cannot be notified", async () => {
    const auditor = await world2.operator("auditor", owner);
    await world2.raise(owner);
    const ids = await world2.ids();
    const input = { operator_id: ids.get(auditor.userId), role: "support", why: "x" };
    const head = await world2.service.audit.head();
    world2.failNotifying(true);
    expect((await world2.post(owner, "setRole", input)).error).toBe("server.failed");
    world2.failNotifying(false);
    expect(await world2.service.audit.head()).toEqual(head);
    expect((await world2.get(auditor, "getAudit")).code).toBe(1);
  });

  test("an invitation code works for one person, and not after it was revoked", async () => {
    await world2.raise(owner);
    const code = writeCode(randomBytes(codeBytes));
    const hash = bytesToHex(hashCode(code)!);
    await world2.post(owner, "inviteOperator", { code_hash: hash, role: "publisher" });
    await world2.post(owner, "withdrawInvitation", { code_hash: hash });
    const stranger = await world2.person();
    expect((await world2.post(stranger, "claim", { code, name: "x" })).error).toBe(
      "operator.code_unknown",
    );
  });
});

test("the next start prints a code when the only owner deletes their account", async () => {
  const freshWorld = await createOperatorWorld();
  const owner = await freshWorld.operator("owner");
  const support = await freshWorld.operator("support", owner);
  expect(await freshWorld.service.firstCode()).toBeNull();
  await freshWorld.service.erase(owner.userId);
  const code = await freshWorld.service.firstCode();
  const newOperator = await freshWorld.person();
  const answer = await freshWorld.post(newOperator, "claim", { code, name: "Next" });
  expect(answer.data?.operator).toMatchObject({ role: "owner" });
  expect((await freshWorld.get(support, "getMe")).data.operator).toMatchObject({ role: "support" });
  expect(await freshWorld.service.firstCode()).toBeNull();
  await freshWorld.close();
});

test.each([
  "removeOperator",
  "setRole",
  "leave",
  "erase",
])("a code of an owner who leaves by %s is void", async (ending) => {
  const freshWorld = await createOperatorWorld();
  const owner = await freshWorld.operator("owner");
  const otherOwner = await freshWorld.operator("owner", owner);
  const code = writeCode(randomBytes(codeBytes));
  await freshWorld.raise(otherOwner);
  await freshWorld.post(otherOwner, "inviteOperator", {
    code_hash: bytesToHex(hashCode(code)!),
    role: "owner",
  });
  await freshWorld.raise(owner);
  const id = (await freshWorld.ids()).get(otherOwner.userId);
  const reason = "Not any more";
  if (ending === "erase") await freshWorld.service.erase(otherOwner.userId);
  else if (ending === "leave") await freshWorld.post(otherOwner, "leave", {});
  else
    await freshWorld.post(owner, ending, {
      operator_id: id,
      why: reason,
      ...(ending === "setRole" ? { role: "auditor" } : {}),
    });
  const stranger = await freshWorld.person();
  const answer = await freshWorld.post(stranger, "claim", { code, name: "x" });
  expect(answer.error).toBe("operator.code_unknown");
  await freshWorld.close();
});

test("operators' names, reasons and codes are never stored in clear text", async () => {
  const { rows } = await sql<{ text: string }>`
    select coalesce(string_agg(t::text, ' '), '') as text from (
      select o::text as t from operator o union all select a::text from operator_audit_event a
      union all select x::text from operator_audit_event_text x union all select c::text from operator_call c
    ) all_rows`.execute(world.ctx.owner.db);
  expect(rows[0]!.text).not.toContain("Alice");
  expect(rows[0]!.text).not.toContain(Buffer.from("Alice").toString("hex"));
});

function invitation() {
  return { code_hash: bytesToHex(randomBytes(32)), role: "auditor" };
}
