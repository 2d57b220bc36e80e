import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import WebSocket from "ws";
import {
  authorize,
  createSession,
  getUserInfo,
  listAuthorisations,
  listSessions,
  revokeAllSessions,
  revokeAuthorisation,
  revokeSession,
  signOut,
} from "#api/session.ts";
import { dayMs, hourMs } from "#core/money/time.ts";
import { outsideTransaction } from "#server/testing/outsideTransaction.ts";
import { untilBlocked } from "#server/testing/untilBlocked.ts";
import { describeClient } from "./client.ts";
import {
  createSessionWorld,
  createTestAccount,
  prepare,
  type SessionWorld,
  send,
  signIn,
  signRequest,
} from "./testing.ts";

let world: SessionWorld;
let next = 5000;
beforeAll(async () => {
  world = await createSessionWorld();
  await world.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => world.close());
beforeEach(() => world.ctx.realClock.advanceMs(61_000));

const getStatus = async (token: string) => (await send(world, getUserInfo, {}, { token })).status;
interface ListedSession {
  items: object[];
  ended: { why: string; ended_at_ms: number }[];
}
const toItems = async (call: { method: "GET"; path: string }, token: string) =>
  (await send(world, call, {}, { token })).body.data as unknown as {
    items: Record<string, string | number | boolean | null>[];
  };

describe("a session", () => {
  test("a session ends after a day of real time regardless of use", async () => {
    const { token } = await signIn(world, createTestAccount(next++));
    for (let hour = 1; hour < 24; hour += 1) {
      world.ctx.realClock.advanceMs(hourMs);
      expect(await getStatus(token)).toBe(200);
    }
    world.ctx.realClock.advanceMs(hourMs - 1);
    expect(await getStatus(token)).toBe(200);
    world.ctx.realClock.advanceMs(1);
    expect(await getStatus(token)).toBe(401);
  });

  test("a session ends after two hours without use, and its end is notified", async () => {
    const alice = createTestAccount(next++);
    const { token } = await signIn(world, alice);
    world.ctx.realClock.advanceMs(2 * hourMs - 1);
    expect(await getStatus(token)).toBe(200);
    world.ctx.realClock.advanceMs(2 * hourMs);
    expect(await getStatus(token)).toBe(401);
    const newSession = await signIn(world, alice);
    const list = (await toItems(listSessions as never, newSession.token)) as never as ListedSession;
    expect(list.items).toHaveLength(1);
    expect(list.ended).toMatchObject([{ why: "idle", ended_at_ms: world.ctx.realClock.nowMs() }]);
  });

  test("a session with an open stream counts as in use", async () => {
    const { token } = await signIn(world, createTestAccount(next++));
    const { sessionId } = (await world.service.resolve(token))!;
    const writes = async () => {
      const { rows } = await world.ctx.owner.pool.query(
        "select last_seen_at_ms from user_session where session_id = $1",
        [sessionId],
      );
      return Number(rows[0].last_seen_at_ms);
    };
    // At every heartbeat the hub reports the sessions whose sockets answered (stream.test.ts).
    for (let half = 0; half < 6; half += 1) {
      world.ctx.realClock.advanceMs(hourMs);
      world.service.recordUse([sessionId]);
      const nowMs = world.ctx.realClock.nowMs();
      await vi.waitFor(async () => expect(await writes()).toBe(nowMs));
      // At most one write a minute.
      world.ctx.realClock.advanceMs(30_000);
      world.service.recordUse([sessionId]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await writes()).toBe(nowMs);
    }
    expect(await getStatus(token)).toBe(200);
    world.ctx.realClock.advanceMs(2 * hourMs + 1);
    world.service.recordUse([sessionId]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await getStatus(token)).toBe(401);
  });

  test("signing in an eleventh time ends the oldest session and reports it", async () => {
    const alice = createTestAccount(next++);
    const tokens: string[] = [];
    for (let number = 0; number < 10; number += 1) {
      world.ctx.realClock.advanceMs(7_000);
      tokens.push((await signIn(world, alice)).token);
    }
    expect(await Promise.all(tokens.map(getStatus))).toEqual(Array(10).fill(200));
    world.ctx.realClock.advanceMs(7_000);
    const last = await signIn(world, alice);
    expect(await Promise.all(tokens.map(getStatus))).toEqual([401, ...Array(9).fill(200)]);
    const list = (await toItems(listSessions as never, last.token)) as never as ListedSession;
    expect(list.items).toHaveLength(10);
    expect(list.ended).toMatchObject([{ why: "limit" }]);
    const endEvents = world.ctx.securityEvents.filter(({ event }) => event !== "sign_in.accepted");
    expect(endEvents.at(-1)).toMatchObject({
      event: "session.ended_by_another",
      cause: "limit",
      userId: last.user_id,
    });
  });

  test("an open session is listed among any number of newer ended ones", async () => {
    const { user_id, token } = await signIn(world, createTestAccount(next++));
    world.ctx.realClock.advanceMs(60_000);
    const nowMs = world.ctx.realClock.nowMs();
    await world.ctx.owner.pool.query(
      `insert into user_session (session_id, token_hash, user_id, authorisation_id, created_at_ms,
         last_seen_at_ms, expires_at_ms, client, ended_at_ms, ended_by)
       select 'over-' || n, sha256(convert_to(user_id || n, 'utf8')), user_id, authorisation_id, $2,
         $2, expires_at_ms, client, $2, 'person'
       from user_session, generate_series(1, 120) n where user_id = $1`,
      [user_id, nowMs],
    );
    const list = (await toItems(listSessions as never, token)) as never as ListedSession;
    expect(list.items).toMatchObject([{ current: true }]);
    expect(list.ended).toHaveLength(99);
  });

  test("thirty concurrent sign-ins leave ten sessions", async () => {
    const alice = createTestAccount(next++);
    const requests = [];
    for (let number = 0; number < 30; number += 1) {
      world.ctx.realClock.advanceMs(7_000);
      requests.push(await signRequest(alice, await prepare(world, alice)));
    }
    const answers = await Promise.all(
      requests.map((request) => send(world, createSession, request)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    const { user_id } = answers[0]!.body.data as unknown as { user_id: string };
    expect(await world.service.sessions(user_id)).toHaveLength(10);
  });

  test("signing in again ends the session of the browser's cookie", async () => {
    const alice = createTestAccount(next++);
    const [currentSession, otherSession] = [await signIn(world, alice), await signIn(world, alice)];
    const bob = createTestAccount(next++);
    const request = await signRequest(bob, await prepare(world, bob));
    await send(world, createSession, request, { cookie: `w1Token=${currentSession.token}` });
    expect([await getStatus(currentSession.token), await getStatus(otherSession.token)]).toEqual([
      401, 200,
    ]);
    const list = (await toItems(
      listSessions as never,
      otherSession.token,
    )) as never as ListedSession;
    expect(list.ended).toMatchObject([{ why: "sign_in" }]);
  });

  test("a session survives a failed sign-in with its cookie", async () => {
    const alice = createTestAccount(next++);
    const { token } = await signIn(world, alice);
    const request = await signRequest(alice, await prepare(world, alice));
    const forged = { ...request, signature: `0x${"11".repeat(64)}1b` };
    await send(world, createSession, forged, { cookie: `w1Token=${token}` });
    expect(await getStatus(token)).toBe(200);
  });

  test("a malformed token is not looked up", async () => {
    const { pool } = world.ctx.database;
    const spy = vi.spyOn(pool, "connect");
    for (const token of ["", "x", "x".repeat(44), `${"x".repeat(42)}'`])
      expect(await world.service.resolve(token)).toBeNull();
    expect(spy).not.toHaveBeenCalled();
    expect(await world.service.resolve("x".repeat(43))).toBeNull();
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
  });

  test("a session token is stored as a hash only", async () => {
    const { token } = await signIn(world, createTestAccount(next++));
    const { rows } = await world.ctx.owner.pool.query("select s::text as text from user_session s");
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(token).toString("hex"));
    }
  });

  test("signing out ends only the current session, immediately", async () => {
    const alice = createTestAccount(next++);
    const first = await signIn(world, alice);
    const second = await signIn(world, alice);
    expect(await getStatus(first.token)).toBe(200);
    const answer = await send(world, signOut, {}, { token: first.token });
    expect(answer.cookie).toMatch(/^w1Token=;.*Expires=Thu, 01 Jan 1970/);
    expect([await getStatus(first.token), await getStatus(second.token)]).toEqual([401, 200]);
  });

  test("sessions list their client, and another person's session cannot be ended", async () => {
    const alice = createTestAccount(next++);
    const chrome = {
      "user-agent":
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    };
    const first = await signIn(world, alice, chrome);
    const second = await signIn(world, alice);
    const { items } = await toItems(listSessions as never, first.token);
    expect(items).toHaveLength(2);
    expect(items.find(({ current }) => current)).toMatchObject({ client: "Chrome, Linux" });
    const otherSessionId = items.find(({ current }) => !current)!.session_id as string;
    const mallory = await signIn(world, createTestAccount(next++));
    const refusal = await send(
      world,
      revokeSession,
      { session_id: otherSessionId },
      { token: mallory.token },
    );
    expect(refusal.body.error).toBe("session.unknown");
    expect(await getStatus(second.token)).toBe(200);
    await send(world, revokeSession, { session_id: otherSessionId }, { token: first.token });
    expect([await getStatus(first.token), await getStatus(second.token)]).toEqual([200, 401]);
  });

  test.each([
    ["others", [200, 401, 401, 200], 2],
    ["all", [401, 401, 401, 200], 3],
  ])("a person ends only sessions of their own account: %s", async (which, expected, ended) => {
    const alice = createTestAccount(next++);
    const tokens: string[] = [];
    for (const signer of [alice, alice, alice, createTestAccount(next++)]) {
      tokens.push((await signIn(world, signer)).token);
    }
    const { body } = await send(world, revokeAllSessions, { which } as never, {
      token: tokens[0] as string,
    });
    expect(body).toMatchObject({ code: 1, data: { ended } });
    expect(await Promise.all(tokens.map(getStatus))).toEqual(expected);
  });

  test("an ended session closes its sockets", async () => {
    const { token } = await signIn(world, createTestAccount(next++));
    const { port } = world.app.server.address() as { port: number };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    const messages: string[] = [];
    socket.on("message", (data: Buffer) => messages.push(data.toString()));
    await new Promise((resolve) => socket.once("open", resolve));
    const first = new Promise((resolve) => socket.once("message", resolve));
    socket.send(JSON.stringify({ op: "hello", token }));
    await first;
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    await send(world, signOut, {}, { token });
    expect(await closed).toBe(4401);
    expect(messages.map((text) => JSON.parse(text))).toEqual([
      { topic: "session", signed_in: true },
      { topic: "session", signed_in: false },
    ]);
  });

  test("a session that ends while it is being read is not cached", async () => {
    const { token, user_id: userId } = await signIn(world, createTestAccount(next++));
    const { ctx, service } = world;
    // Long enough ago that reading it records its use, which waits for the transaction that ends
    // it.
    ctx.realClock.advanceMs(61_000);
    let reading: ReturnType<typeof service.resolve> | null = null;
    await ctx.owner.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ session_id: string }>`
        update user_session set ended_at_ms = ${ctx.realClock.nowMs()}, ended_by = 'person'
        where user_id = ${userId} returning session_id`.execute(tx);
      reading = outsideTransaction(() => service.resolve(token));
      await untilBlocked(tx);
      ctx.bus.publish("session.ended", { userId, sessionId: rows[0]!.session_id });
    });
    await reading!;
    expect(await service.resolve(token)).toBeNull();
  });

  test("a cached session switches to the new attempt immediately", async () => {
    const { token, user_id: userId } = await signIn(world, createTestAccount(next++));
    const getAttempt = async () =>
      (await send(world, getUserInfo, {}, { token })).body.data as unknown as {
        attempt_id: string;
      };
    const getSession = async () => (await world.service.resolve(token))?.attemptId;
    const first = (await getAttempt()).attempt_id;
    expect(await getSession()).toBe(first);
    const attemptId = `${first.slice(0, -4)}next`;
    await world.ctx.owner.pool.query(
      "insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms) values ($1, $2, 2, 0, 0)",
      [attemptId, userId],
    );
    expect(await getSession()).toBe(first);
    world.ctx.bus.publish("attempt.opened", { userId, attemptId });
    expect(await getSession()).toBe(attemptId);
  });

  test("sessions long over are purged and open ones kept", async () => {
    const oldSession = await signIn(world, createTestAccount(next++));
    world.ctx.realClock.advanceMs(2 * dayMs + 1);
    const { token } = await signIn(world, createTestAccount(next++));
    await world.ctx.jobs.runNow("session.purge");
    const { rows } = await world.ctx.owner.pool.query(
      "select 1 from user_session where user_id = $1",
      [oldSession.user_id],
    );
    expect(rows).toHaveLength(0);
    expect(await getStatus(token)).toBe(200);
  });
});

describe("authorisations", () => {
  test("a sign-in is listed with its text, and revoking it ends its sessions", async () => {
    const alice = createTestAccount(next++);
    const first = await signIn(world, alice);
    const second = await signIn(world, alice);
    const { items } = await toItems(listAuthorisations as never, first.token);
    expect(items.map(({ kind }) => kind)).toEqual(["sign_in", "sign_in"]);
    expect(items[0]!.text).toContain(alice.address);
    const rows = await world.ctx.owner.pool.query(
      "select authorisation_id from user_session where token_hash = sha256($1)",
      [Buffer.from(second.token)],
    );
    const { authorisation_id } = rows.rows[0];
    await send(world, revokeAuthorisation, { authorisation_id }, { token: first.token });
    expect([await getStatus(first.token), await getStatus(second.token)]).toEqual([200, 401]);
  });

  test("terms are accepted once in the language shown, and can be revoked", async () => {
    const { token, user_id } = await signIn(world, createTestAccount(next++));
    await expect(world.service.requireNewPositions(user_id)).rejects.toMatchObject({
      error: "terms.required",
    });
    const wrong = await send(world, authorize, { version: 2 }, { token });
    expect(wrong.body.error).toBe("terms.version_unknown");
    const accept = () => send(world, authorize, { version: 3 }, { token, language: "ja" });
    const [first, second] = await Promise.all([accept(), accept()]);
    expect(first!.body.data).toEqual(second!.body.data);
    await world.service.requireNewPositions(user_id);
    expect(await world.service.termsAccepted(user_id)).toBe(true);
    const { items } = await toItems(listAuthorisations as never, token);
    const terms = items.filter(({ kind }) => kind === "terms");
    expect(terms).toMatchObject([{ version: 3, text: "Practice terms, version 3 (ja)" }]);
    await send(
      world,
      revokeAuthorisation,
      { authorisation_id: terms[0]!.authorisation_id },
      { token },
    );
    expect(await world.service.termsAccepted(user_id)).toBe(false);
    expect(await getStatus(token)).toBe(200);
    await accept();
    expect(await world.service.termsAccepted(user_id)).toBe(true);
  });

  test("another person's authorisation cannot be revoked", async () => {
    const alice = await signIn(world, createTestAccount(next++));
    const mallory = await signIn(world, createTestAccount(next++));
    const { items } = await toItems(listAuthorisations as never, alice.token);
    const answer = await send(
      world,
      revokeAuthorisation,
      { authorisation_id: items[0]!.authorisation_id },
      { token: mallory.token },
    );
    expect(answer.body.error).toBe("terms.authorisation_unknown");
    expect(await getStatus(alice.token)).toBe(200);
  });
});

test("the application's role cannot rewrite authorisations or session tokens", async () => {
  const { pool } = world.ctx.database;
  for (const statement of [
    "update user_authorisation set text_encrypted = ''",
    "update user_session set token_hash = sha256('')",
    "update user_address set address_index = address_index",
    "delete from user_account",
  ]) {
    await expect(pool.query(statement)).rejects.toThrow(/permission denied/);
  }
});

test.each([
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
    "Safari, iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/140.0 Mobile Safari/537.36",
    "Samsung Internet, Android",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
    "Firefox, Windows",
  ],
  ["curl/8.9.1", "curl"],
  ["", ""],
])("the client description of %s", (userAgent, words) =>
  expect(describeClient(userAgent)).toBe(words));
