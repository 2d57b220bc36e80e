import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSession, getNonce, getUserInfo, signOut } from "#api/session.ts";
import type { SignInMessage } from "#core/session/message.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { createSessions } from "#server/session/session.ts";
import {
  createSessionWorld,
  createTestAccount,
  prepare,
  type SessionWorld,
  send,
  signIn,
  signRequest,
  testHost,
} from "#server/session/testing.ts";

let world: SessionWorld;
let next = 1000;
beforeAll(async () => {
  world = await createSessionWorld();
});
afterAll(() => world.close());
// Limits refill between tests.
beforeEach(() => world.ctx.realClock.advanceMs(61_000));

const create = (input: object, headers: Record<string, string> = {}) =>
  send(world, createSession, input as Record<string, unknown>, headers);
const notCalled = () => Promise.reject(new Error("not called here"));
const nowIso = (offsetMs: number) => new Date(world.ctx.realClock.nowMs() + offsetMs).toISOString();

describe("signing in", () => {
  test("a new address becomes a user with a first attempt, and later the same user", async () => {
    const alice = createTestAccount(next++);
    const first = await signIn(world, alice);
    const second = await signIn(world, alice);
    expect(first.created).toBe(true);
    expect(second).toMatchObject({ user_id: first.user_id, created: false });
    const info = await send(world, getUserInfo, {}, { token: second.token, language: "de" });
    expect(info.body.data).toMatchObject({
      user_id: first.user_id,
      address: alice.address,
      attempt_number: 1,
      language: "de",
      terms: { current_version: 3, accepted_version: null },
    });
    expect(world.opened.filter(({ userId }) => userId === first.user_id)).toHaveLength(2);
    expect(first.user_id).not.toContain(alice.address.slice(2).toLowerCase());
  });

  test("signing in does not open an attempt that starting over created", async () => {
    const alice = createTestAccount(next++);
    const { user_id: userId } = await signIn(world, alice);
    await world.ctx.owner.pool.query(
      "insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms) values ($1, $1, 2, 0, 0)",
      [userId],
    );
    await signIn(world, alice);
    expect(world.opened.filter((owner) => owner.attemptId === userId)).toEqual([]);
  });

  test("the cookie is w1Token, valid for a day, HttpOnly and SameSite", async () => {
    const alice = createTestAccount(next++);
    const { cookie, body } = await create(await signRequest(alice, await prepare(world, alice)));
    expect(cookie).toMatch(/^w1Token=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
    const token = (body.data as unknown as { token: string }).token;
    const info = await send(world, getUserInfo, {}, { cookie: `w1Token=${token}` });
    expect(info.status).toBe(200);
  });

  test("over HTTPS the cookie meets the __Host- rules, also when it is deleted", async () => {
    const host = "practice.example.org";
    const operator = { name: "Harbour club", contact: "desk@example.org" };
    const https = await createSessionWorld({
      config: { publicUrl: new URL(`https://${host}`), operator },
    });
    try {
      const alice = createTestAccount(next++);
      const request = await signRequest(alice, await prepare(https, alice, { host }));
      const answer = await send(https, createSession, request, { host });
      expect(answer.cookie).toMatch(
        /^w1Token=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
      const { token } = answer.body.data as unknown as { token: string };
      const remainder = await send(https, signOut, {}, { host, cookie: `w1Token=${token}` });
      expect(remainder.cookie).toMatch(
        /^w1Token=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970 [\d:]+ GMT; HttpOnly; Secure; SameSite=Lax$/,
      );
      // Never "storage", which would delete a practice wallet's key, nor other programs' cookies.
      expect(remainder.headers["clear-site-data"]).toBe('"cache"');
    } finally {
      await https.close();
    }
  });

  test.each<[string, Record<string, string>, boolean]>([
    ["a program", {}, true],
    ["Node's fetch", { "sec-fetch-mode": "cors" }, true],
    ["a page", { origin: `http://${testHost}`, "sec-fetch-site": "same-origin" }, false],
    ["a page on the local network over HTTP", { origin: `http://${testHost}` }, false],
  ])("%s gets the token in the answer: %s", async (_who, headers, hasToken) => {
    const alice = createTestAccount(next++);
    const request = await signRequest(alice, await prepare(world, alice));
    const { body, cookie } = await send(world, createSession, request, headers);
    expect("token" in body.data).toBe(hasToken);
    expect(cookie).toMatch(/^w1Token=[\w-]{43};/);
  });

  test("a raw @noble/curves key signs in without wallet code, with v of 0 or 1 too", async () => {
    const key = secp256k1.utils.randomSecretKey();
    const bytes = keccak_256(secp256k1.getPublicKey(key, false).slice(1)).slice(-20);
    const address = `0x${Buffer.from(bytes).toString("hex")}`;
    for (const offset of [27, 0]) {
      const message = await prepare(world, {
        ...createTestAccount(1),
        address: address as `0x${string}`,
      });
      const { writeMessage } = await import("#core/session/message.ts");
      const text = writeMessage(message);
      const framedMessage = Buffer.from(`\x19Ethereum Signed Message:\n${text.length}${text}`);
      const recoveredSignature = secp256k1.sign(keccak_256(framedMessage), key, {
        prehash: false,
        format: "recovered",
      });
      const signature = `0x${Buffer.from(recoveredSignature.slice(1)).toString("hex")}${(recoveredSignature[0]! + offset).toString(16).padStart(2, "0")}`;
      const answer = await create({ address, type: "erc", message: text, signature });
      expect(answer.body).toMatchObject({ code: 1 });
    }
  });

  test("the message exists in every language and reports an invite code's fate", async () => {
    const alice = createTestAccount(next++);
    const request = await signRequest(alice, await prepare(world, alice));
    expect((await create({ ...request, invite: "no spaces!" })).body.msg).toMatch(
      /We didn’t use the invite code/,
    );
    const bob = createTestAccount(next++);
    const otherRequest = await signRequest(bob, await prepare(world, bob));
    const answer = await create({ ...otherRequest, invite: "HARBOUR7" }, { language: "sv" });
    expect(answer.body).toMatchObject({ code: 1 });
    expect(answer.body.msg).not.toMatch(/^session\./);
  });

  test("two concurrent sign-ins of a new address create one user", async () => {
    const alice = createTestAccount(next++);
    const requests = [
      await signRequest(alice, await prepare(world, alice)),
      await signRequest(alice, await prepare(world, alice)),
    ];
    const answers = await Promise.all(requests.map((request) => create(request)));
    const users = answers.map(
      ({ body }) => body.data as unknown as { user_id: string; created: boolean },
    );
    expect(users[0]!.user_id).toBe(users[1]!.user_id);
    expect(users.filter(({ created }) => created)).toHaveLength(1);
  });

  test("a suspended user can sign in", async () => {
    const alice = createTestAccount(next++);
    const { user_id } = await signIn(world, alice);
    await world.ctx.owner.pool.query(
      "update user_account set suspended_at_ms = 1 where user_id = $1",
      [user_id],
    );
    expect((await signIn(world, alice)).token).toBeTruthy();
    await expect(world.service.requireNewPositions(user_id)).rejects.toMatchObject({
      error: "session.suspended",
    });
  });
});

test("permission to open positions is cached until a change or for five seconds", async () => {
  const { user_id } = await signIn(world, createTestAccount(next++));
  const { service, ctx } = world;
  const suspend = (atMs: number | null) =>
    ctx.owner.pool.query("update user_account set suspended_at_ms = $2 where user_id = $1", [
      user_id,
      atMs,
    ]);
  const may = () =>
    service.requireNewPositions(user_id).then(
      () => true,
      () => false,
    );
  expect(await may()).toBe(false);
  await service.authorize(user_id, service.termsVersion, "en");
  expect(await may()).toBe(true);
  const [terms] = (await service.authorisations(user_id)).filter(({ kind }) => kind === "terms");
  await service.revokeAuthorisation(user_id, terms!.authorisationId);
  expect(await may()).toBe(false);
  await service.authorize(user_id, service.termsVersion, "en");
  expect(await may()).toBe(true);
  const setSuspended = async (atMs: number | null) => {
    const { db } = ctx.database;
    const { notify } = await db
      .transaction()
      .execute((tx) => service.setSuspended(tx, user_id, atMs));
    notify();
  };
  await setSuspended(1);
  expect(await may()).toBe(false);
  await setSuspended(null);
  expect(await may()).toBe(true);
  await suspend(1);
  ctx.realClock.advanceMs(5_000);
  expect(await may()).toBe(false);
});

test("terms revoked in one process are revoked in all immediately", async () => {
  const { user_id } = await signIn(world, createTestAccount(next++));
  const { service, ctx } = world;
  const noInvites = { join: notCalled, admits: notCalled, lateOutcome: notCalled };
  const otherService = createSessions(
    ctx,
    { invites: noInvites, contributions: { onUserCreated: [] } },
    { version: service.termsVersion, text: () => "" },
  );
  await service.authorize(user_id, service.termsVersion, "en");
  await otherService.requireNewPositions(user_id);
  const [terms] = (await service.authorisations(user_id)).filter(({ kind }) => kind === "terms");
  const endEvents: unknown[] = [];
  const stop = ctx.bus.subscribe("session.ended", (event) => endEvents.push(event));
  await service.revokeAuthorisation(user_id, terms!.authorisationId);
  await expect(otherService.requireNewPositions(user_id)).rejects.toMatchObject({
    error: "terms.required",
  });
  expect(endEvents).toEqual([]);
  stop();
});

describe("sign-in nonce", () => {
  test("a nonce is used up by the first attempt, even a failed one", async () => {
    const alice = createTestAccount(next++);
    const request = await signRequest(alice, await prepare(world, alice));
    const forged = { ...request, signature: `0x${"11".repeat(64)}1b` };
    expect((await create(forged)).body.error).toBe("session.signature_wrong");
    expect((await create(request)).body.error).toBe("session.nonce_used");
  });

  test("a nonce is accepted once under concurrent use", async () => {
    const alice = createTestAccount(next++);
    const request = await signRequest(alice, await prepare(world, alice));
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(request)));
    expect(answers.map(({ body }) => body.error ?? "in").sort()).toEqual([
      "in",
      "session.nonce_used",
      "session.nonce_used",
      "session.nonce_used",
    ]);
  });

  test("a nonce expires after five minutes", async () => {
    const alice = createTestAccount(next++);
    const request = await signRequest(alice, await prepare(world, alice));
    world.ctx.realClock.advanceMs(299_999);
    const lateRequest = await signRequest(alice, await prepare(world, alice));
    expect((await create(request)).body).toMatchObject({ code: 1 });
    world.ctx.realClock.advanceMs(300_000);
    expect((await create(lateRequest)).body.error).toBe("session.nonce_expired");
    expect((await create(lateRequest)).body.error).toBe("session.nonce_used");
  });

  test("a nonce expires regardless of the expiration in the message", async () => {
    const alice = createTestAccount(next++);
    const message = await prepare(world, alice);
    const request = await signRequest(alice, { ...message, expirationTime: nowIso(3_600_000) });
    world.ctx.realClock.advanceMs(300_000);
    expect((await create(request)).body.error).toBe("session.nonce_expired");
  });

  test("a nonce for one address cannot sign in another", async () => {
    const [alice, bob] = [createTestAccount(next++), createTestAccount(next++)];
    const request = await signRequest(bob, {
      ...(await prepare(world, alice)),
      address: bob.address,
    });
    const { body } = await create(request);
    expect(body).toMatchObject({ error: "session.message_mismatch", data: { field: "address" } });
  });

  test("nonces are limited per network to a burst of ten and one every six seconds", async () => {
    const alice = createTestAccount(next++);
    const requestNonce = (remoteAddress = "192.0.2.1") =>
      send(
        world,
        getNonce,
        { address: alice.address.toLowerCase(), chain_id: "1" },
        {},
        remoteAddress,
      );
    const answers = await Promise.all(Array.from({ length: 12 }, () => requestNonce()));
    const refusals = answers.filter(({ status }) => status === 429);
    expect(refusals).toHaveLength(2);
    expect(Number(refusals[0]!.headers["retry-after"])).toBe(6);
    expect(refusals[0]!.body.data).toMatchObject({ limit: "address_nonces" });
    // A stranger who knows an address cannot keep its owner out.
    expect((await requestNonce("192.0.2.2")).status).toBe(200);
    world.ctx.realClock.advanceMs(6_000);
    expect((await requestNonce()).status).toBe(200);
  });

  test("a nonce is purged an hour after its expiry", async () => {
    const alice = createTestAccount(next++);
    const request = await signRequest(alice, await prepare(world, alice));
    world.ctx.realClock.advanceMs(3_600_000 + 300_001);
    await world.ctx.jobs.runNow("session.purge");
    expect((await create(request)).body.error).toBe("session.nonce_unknown");
  });

  test("an address in a wrong mixed case is refused", async () => {
    const wrongCaseAddress = "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const { body, status } = await send(world, getNonce, {
      address: wrongCaseAddress,
      chain_id: "1",
    });
    expect([status, body.error]).toEqual([400, "request.malformed"]);
  });
});

const edits: [string, (message: SignInMessage) => Partial<SignInMessage>, string][] = [
  ["another site's domain", () => ({ domain: "evil.example" }), "session.message_mismatch"],
  [
    "this host's name with another port",
    () => ({ domain: "localhost:4101" }),
    "session.message_mismatch",
  ],
  ["a user part before the host", () => ({ domain: `x@${testHost}` }), "session.message_mismatch"],
  ["a scheme other than HTTP", () => ({ scheme: "ftp" }), "session.message_mismatch"],
  ["another chain", () => ({ chainId: "56" }), "session.message_mismatch"],
  [
    "another address",
    () => ({ address: createTestAccount(7).address }),
    "session.message_mismatch",
  ],
  ["a URI of another site", () => ({ uri: "https://evil.example/" }), "session.message_mismatch"],
  ["a URI with a user part", () => ({ uri: `http://x@${testHost}/` }), "session.message_mismatch"],
  ["a URI that is not a page", () => ({ uri: "urn:drydock" }), "session.message_mismatch"],
  ["an issue time in the future", () => ({ issuedAt: nowIso(60_000) }), "session.message_mismatch"],
  [
    "an issue time before the nonce's",
    () => ({ issuedAt: nowIso(-60_000) }),
    "session.message_mismatch",
  ],
  [
    "another statement",
    () => ({ statement: "Sign in to move everything." }),
    "session.message_mismatch",
  ],
  ["no statement", () => ({ statement: null }), "session.message_mismatch"],
  ["a request id", () => ({ requestId: "7" }), "session.message_mismatch"],
  ["a resource", () => ({ resources: ["https://evil.example/"] }), "session.message_mismatch"],
  ["no expiration time", () => ({ expirationTime: null }), "session.message_mismatch"],
  ["an expiration in the past", () => ({ expirationTime: nowIso(-1) }), "session.nonce_expired"],
  ["a not-before in the future", () => ({ notBefore: nowIso(60_000) }), "session.message_mismatch"],
  ["a nonce that was never issued", () => ({ nonce: "0123456789abcdef" }), "session.nonce_unknown"],
];

describe("a correctly signed but invalid message is refused", () => {
  test.each(edits)("%s", async (_title, edit, error) => {
    const alice = createTestAccount(next++);
    const message = await prepare(world, alice);
    const answer = await create(await signRequest(alice, { ...message, ...edit(message) }));
    expect(answer.body.error).toBe(error);
    expect(answer.cookie).toBeUndefined();
  });

  test("a nonce of another host of ours is refused", async () => {
    const alice = createTestAccount(next++);
    const message = await prepare(world, alice, { host: "127.0.0.1:4100" });
    const answer = await create(await signRequest(alice, message));
    expect(answer.body).toMatchObject({
      error: "session.message_mismatch",
      data: { field: "domain" },
    });
  });

  test("an address that differs from the message is refused", async () => {
    const alice = createTestAccount(next++);
    const request = await signRequest(alice, await prepare(world, alice));
    const answer = await create({ ...request, address: createTestAccount(7).address });
    expect(answer.body.error).toBe("session.message_mismatch");
  });

  test("a type other than erc is refused", async () => {
    const alice = createTestAccount(next++);
    const request = await signRequest(alice, await prepare(world, alice));
    expect((await create({ ...request, type: "trc" })).body.error).toBe("session.type_unknown");
  });

  test("a text that is not a sign-in message is refused", async () => {
    const alice = createTestAccount(next++);
    const message = "I approve everything";
    const signature = await alice.signMessage({ message });
    const answer = await create({ address: alice.address, type: "erc", message, signature });
    expect(answer.body.error).toBe("session.message_malformed");
  });
});

/** The same signature in the other form that the curve allows: n − s, and the other v. */
function highS(signature: string): string {
  const s = secp256k1.Point.Fn.ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.slice(130) === "1b" ? "1c" : "1b";
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${v}`;
}

describe("signatures", () => {
  test.each<[string, (signature: string) => string, string]>([
    ["the high-s twin", highS, "session.signature_wrong"],
    ["a compact signature (EIP-2098)", (s) => s.slice(0, 130), "session.signature_wrong"],
    [
      "a flipped v",
      (s) => `${s.slice(0, 130)}${s.endsWith("1b") ? "1c" : "1b"}`,
      "session.signature_wrong",
    ],
    ["an EIP-155 v", (s) => `${s.slice(0, 130)}25`, "session.signature_wrong"],
    ["zeros", () => `0x${"00".repeat(64)}1b`, "session.signature_wrong"],
    ["no hex", () => "signed", "session.signature_wrong"],
    ["an extra half byte", (s) => `${s}0`, "session.signature_wrong"],
    ["an empty signature, as from a contract wallet", () => "0x", "session.contract_wallet"],
    ["two owners' signatures", (s) => s + s.slice(2), "session.contract_wallet"],
    ["ERC-6492", (s) => `${s}${"6492".repeat(16)}`, "session.contract_wallet"],
    ["Safe's eth_sign marker", (s) => `${s.slice(0, 130)}1f`, "session.contract_wallet"],
  ])("%s is refused", async (_title, change, error) => {
    const alice = createTestAccount(next++);
    const request = await signRequest(alice, await prepare(world, alice));
    const answer = await create({ ...request, signature: change(request.signature) });
    expect([answer.body.error, answer.cookie]).toEqual([error, undefined]);
  });

  test("another key's signature is refused", async () => {
    const alice = createTestAccount(next++);
    const request = await signRequest(alice, await prepare(world, alice));
    const signature = await createTestAccount(7).signMessage({ message: request.message });
    expect((await create({ ...request, signature })).body.error).toBe("session.signature_wrong");
  });
});

describe("when a network has reached its limit of new accounts", () => {
  /** Signs in at a service that shares the world's nonces and accounts and refuses every sign-up. */
  const signInThere = async (number: number, invite?: string) => {
    const invites = {
      join: async () => "kept" as const,
      admits: async (_tx: unknown, code: string) => code === "CLASS",
      lateOutcome: async () => "not_new" as const,
    };
    const deps = { invites, contributions: { onUserCreated: [] } };
    const terms = { version: 3, text: () => "" };
    const fullService = createSessions(world.ctx, deps, terms, () => {
      throw new ApiError("session.too_many_sign_ups", { minutes: 1 });
    });
    const request = await signRequest(
      createTestAccount(number),
      await prepare(world, createTestAccount(number)),
    );
    const context = {
      host: testHost,
      ip: "203.0.113.9",
      language: "en" as const,
      userAgent: "",
      session: null,
    };
    return fullService.signIn({ ...request, invite }, context).then(
      ({ created }) => (created ? "created" : "signed in"),
      ({ error }) => error,
    );
  };

  test("a new address is refused and stores nothing", async () => {
    const number = next++;
    expect(await signInThere(number)).toBe("session.too_many_sign_ups");
    expect((await signIn(world, createTestAccount(number))).created).toBe(true);
  });

  test("an existing account signs in, and a class link still creates new ones", async () => {
    const number = next++;
    await signIn(world, createTestAccount(number));
    expect(await signInThere(number)).toBe("signed in");
    expect(await signInThere(next++, "CLASS")).toBe("created");
    expect(await signInThere(next++, "HARBOUR7")).toBe("session.too_many_sign_ups");
  });
});
