import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { World } from "#server/app/modules.ts";
import type { App } from "#server/platform/http/context.ts";
import { distinctMax, type SecurityEvent } from "#server/platform/securityLog.ts";
import { testPassphrase } from "#server/testing/passphrase.ts";
import type { People, TestPerson } from "#server/testing/signedIn.ts";
import { createTestApp, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
let people: People;
let person: TestPerson;
let owner: TestPerson;
beforeAll(async () => {
  ({ ctx, world, app, people, close } = await createTestApp());
  owner = await people.operator("owner");
  person = await people.signIn();
});
afterAll(() => close());
beforeEach(() => {
  ctx.realClock.advanceMs(61_000);
  ctx.securityLog.flush();
  ctx.securityEvents.length = 0;
});

const post = (path: `/api/${string}`) => ({ method: "POST", path }) as const;
const network = "127.0.0.0/24";

/** Every event of docs/security/events.md that a call can lead to. */
const provoked: [string, () => Promise<unknown>, () => object][] = [
  [
    "sign_in.accepted",
    () => people.signIn(),
    () => ({ cause: "new_account", userId: null, network: null }),
  ],
  [
    "sign_in.refused",
    () => people.ask(post("/api/user/create"), forgedSignIn),
    () => ({ cause: "session.nonce_unknown", userId: null, network, route: "/api/user/create" }),
  ],
  [
    "authority.refused",
    () => people.ask({ method: "GET", path: "/api/operator/getOperators" }, {}, person.token),
    () => ({ cause: "operator.required", userId: person.userId, network }),
  ],
  [
    "operator.code_refused",
    () =>
      people.ask(post("/api/operator/claim"), { code: "A".repeat(20), name: "x" }, person.token),
    () => ({ cause: "operator.code_unknown", userId: person.userId, network }),
  ],
  [
    "operator.elevation_refused",
    () =>
      people.ask(
        post("/api/operator/raise"),
        { message: forgedSignIn.message, signature: forgedSignIn.signature },
        owner.token,
      ),
    () => ({ cause: "session.nonce_unknown", userId: owner.userId, network }),
  ],
  [
    "operator.elevated",
    () => people.raise(owner),
    () => ({ cause: "passphrase", userId: owner.userId, network }),
  ],
  [
    "operator.elevation_refused",
    async () => {
      await people.ask(
        post("/api/operator/raise"),
        { ...(await people.signedRaise(owner)), passphrase: "a wrong passphrase" },
        owner.token,
      );
      await people.raise(owner);
    },
    () => ({ cause: "operator.passphrase_wrong", userId: owner.userId, network }),
  ],
  [
    "operator.factor_changed",
    async () => {
      await people.raise(owner);
      await people.data(
        post("/api/operator/setPassphrase"),
        { passphrase: testPassphrase },
        owner.token,
      );
    },
    () => ({ cause: "operators.passphrase_set", userId: owner.userId, network }),
  ],
  [
    "viewing.code_refused",
    () => people.ask(post("/api/operator/people/openViewing"), { code: "AAAA-AAAA" }, owner.token),
    () => ({ cause: "people.code_unknown", userId: owner.userId, network }),
  ],
  [
    "pin.refused",
    async () => {
      await people.data(post("/api/user/setPin"), { pin: "246813" }, person.token);
      return people.ask(
        post("/api/user/setPin"),
        { pin: "135792", current_pin: "111111" },
        person.token,
      );
    },
    () => ({ cause: "pin.wrong", userId: person.userId, network }),
  ],
  [
    "origin.refused",
    () =>
      app.inject({
        method: "POST",
        url: "/api/user/signOut",
        headers: { host: "localhost", origin: "https://evil.example" },
      }),
    () => ({ cause: "request.wrong_host", network, route: "/api/user/signOut" }),
  ],
  [
    "limit.reached",
    async () => {
      for (let number = 0; number <= 60; number += 1) {
        await app.inject({
          url: "/api/user/getSessionList",
          headers: { host: "localhost", token: person.token },
        });
      }
    },
    () => ({ cause: "person_calls", userId: person.userId, network }),
  ],
  [
    "proxy.not_trusted",
    () => app.inject({ url: "/api/none", headers: { "x-forwarded-for": "203.0.113.7" } }),
    () => ({ cause: "x-forwarded-for", userId: null, network }),
  ],
];

const forgedSignIn = {
  address: `0x${"ab".repeat(20)}`,
  type: "erc",
  message: [
    "localhost:4100 wants you to sign in with your Ethereum account:",
    "0x71C7656EC7ab88b098defB751B7401B5f6d8976F",
    "",
    "Mother of pearl.",
    "",
    "URI: http://localhost:4100",
    "Version: 1",
    "Chain ID: 1",
    "Nonce: 0123456789abcdef",
    "Issued At: 2026-01-05T00:00:00Z",
  ].join("\n"),
  signature: `0x${"11".repeat(64)}1b`,
};

describe("a security event in the server's log", () => {
  test.each(provoked)("%s", async (event, provoke, fields) => {
    await provoke();
    const line = ctx.securityEvents.find((securityEvent) => securityEvent.event === event);
    expect(line).toMatchObject({ level: 40, msg: "security", event, ...fields() });
    // Nothing but names, ids and networks.
    const knownFields = ["level", "time", "event", "cause", "userId", "network", "route", "msg"];
    expect(Object.keys(line!).filter((key) => !knownFields.includes(key))).toEqual([]);
    const eventsText = JSON.stringify(ctx.securityEvents);
    expect(eventsText).not.toMatch(/127\.0\.0\.1|203\.0\.113|Mother|0x|246813|111111|AAAA/);
    for (const { token } of [person, owner]) expect(eventsText).not.toContain(token);
  });

  test("session.ended_by_another", async () => {
    const { userId } = await people.signIn();
    ctx.securityEvents.length = 0;
    const { notify } = await ctx.database.db
      .transaction()
      .execute((tx) => world.services.session.endSessionsIn(tx, userId));
    notify();
    expect(ctx.securityEvents).toMatchObject([
      { event: "session.ended_by_another", cause: "operator", userId, network: null },
    ]);
  });
});

describe("a flood of events", () => {
  const refusalEvent = (ip: string): SecurityEvent => ({
    event: "limit.reached",
    cause: "network_calls",
    userId: null,
    ip,
  });

  test("a flood from one network writes two lines a minute: the first and a count", () => {
    for (let number = 0; number < 1000; number += 1)
      ctx.securityLog.note(refusalEvent("192.0.2.7"));
    expect(ctx.securityEvents).toHaveLength(1);
    ctx.realClock.advanceMs(60_000);
    ctx.securityLog.note(refusalEvent("192.0.2.8"));
    expect(ctx.securityEvents).toMatchObject([
      { network: "192.0.2.0/24" },
      { network: "192.0.2.0/24", repeated: 999 },
      { network: "192.0.2.0/24" },
    ]);
  });

  test("repeats are counted for a minute and written even if nothing follows", () => {
    ctx.securityLog.note(refusalEvent("192.0.2.7"));
    ctx.realClock.advanceMs(50_000);
    ctx.securityLog.writeDue();
    ctx.securityLog.note(refusalEvent("192.0.2.7"));
    expect(ctx.securityEvents).toHaveLength(1);
    ctx.realClock.advanceMs(10_000);
    ctx.securityLog.writeDue();
    expect(ctx.securityEvents).toMatchObject([
      { network: "192.0.2.0/24" },
      { network: "192.0.2.0/24", repeated: 1 },
    ]);
  });

  test("events from ten thousand networks write a bounded number of lines", () => {
    for (let number = 0; number < 10_000; number += 1)
      ctx.securityLog.note(refusalEvent(`10.${number >> 8}.${number & 255}.1`));
    ctx.securityLog.flush();
    expect(ctx.securityEvents).toHaveLength(distinctMax + 2);
    expect(ctx.securityEvents.at(-1)).toMatchObject({
      network: "many",
      repeated: 10_000 - distinctMax - 1,
    });
  });
});
