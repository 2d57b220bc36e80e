import type { Sabotage } from "./sabotage.ts";

const nonces = "server/session/nonces.ts";
const session = "server/session/session.ts";
const store = "server/session/sessionStore.ts";
const signIn = "server/session/signIn.test.ts";
const storeTest = "server/session/sessionStore.test.ts";

const sessions: readonly Sabotage[] = [
  {
    name: "sessions: a nonce signs in twice",
    file: nonces,
    find: "where nonce = ${nonce} and used_at_ms is null",
    replace: "where nonce = ${nonce}",
    tests: [signIn],
  },
  {
    name: "sessions: an expired nonce signs in",
    file: nonces,
    find: '      if (expiresAtMs <= nowMs) throw new ApiError("session.nonce_expired");\n',
    replace: "",
    tests: [signIn],
  },
  {
    name: "sessions: a nonce of another address signs in",
    file: session,
    find: '  if (!(await nonce.isFor(address))) throw mismatch("address");\n',
    replace: "",
    tests: [signIn],
  },
  {
    name: "sessions: a nonce of another host signs in",
    file: session,
    find: '  if (nonce.host !== host.toLowerCase()) throw mismatch("domain");\n',
    replace: "",
    tests: [signIn],
  },
  {
    name: "sessions: the signer need not be the address",
    file: "server/session/signedMessage.ts",
    find: "if (signer !== expected.address) throw",
    replace: "if (signer === null) throw",
    tests: [signIn],
  },
  {
    name: "sessions: a signature has a second form",
    file: "server/session/signedMessage.ts",
    find: 'return s > secp256k1.Point.Fn.ORDER / 2n ? "wrong" : "key";',
    replace: 'return s > secp256k1.Point.Fn.ORDER ? "wrong" : "key";',
    tests: [signIn],
  },
  {
    name: "sessions: any statement may be signed",
    file: "server/session/signedMessage.ts",
    find: '  if (message.statement !== expected.statement) return "statement";\n',
    replace: "",
    tests: [signIn],
  },
  {
    name: "sessions: an idle session goes on",
    file: store,
    find: "\n    and last_seen_at_ms > ${nowMs - sessionIdleMs})`",
    replace: ")`",
    tests: [storeTest],
  },
  {
    name: "sessions: one more than the most stays open",
    file: store,
    find: "offset ${sessionsMax - 1}",
    replace: "offset ${sessionsMax}",
    tests: [storeTest],
  },
  {
    name: "sessions: sign-ins at once do not wait for each other",
    file: store,
    find: "      await sql`select pg_advisory_xact_lock(${lockKey(schema, `sessions/${userId}`)})`.execute(tx);\n",
    replace: "",
    tests: [storeTest],
  },
  {
    name: "sessions: a session that ended during its look-up is cached",
    file: "server/platform/ttlCache.ts",
    find: "if (before !== invalidations || !shouldCache(value))",
    replace: "if (before > invalidations || !shouldCache(value))",
    tests: [storeTest],
  },
  {
    name: "sessions: anybody's session can be ended",
    file: store,
    find: "where user_id = ${selection.userId} and ${isOpen(nowMs)}",
    replace: "where ${isOpen(nowMs)}",
    tests: [storeTest],
  },
  {
    name: "sessions: a suspension stops nothing",
    file: session,
    find: '      if (user?.suspended) throw new ApiError("session.suspended");\n',
    replace: "",
    tests: ["server/operator/people/people.test.ts"],
  },
];

const rate = "server/platform/http/limits/rateLimit.ts";
const rateTest = "server/platform/http/limits/rateLimit.test.ts";
const limitsTest = "server/platform/http/limits/requestLimits.test.ts";

const limits: readonly Sabotage[] = [
  {
    name: "limits: a rate limit never refills",
    file: rate,
    find: "const gainedTokens = Math.max(0, nowMs - bucket.atMs) * perMs;",
    replace: "const gainedTokens = 0 * perMs;",
    tests: [rateTest],
  },
  {
    name: "limits: a rate limit never refuses",
    file: rate,
    find: "if (bucket.tokens < 1) return",
    replace: "if (bucket.tokens < Number.NEGATIVE_INFINITY) return",
    tests: [rateTest],
  },
  {
    name: "limits: a rest saves up more than a burst",
    file: rate,
    find: "bucket.tokens = Math.min(burst, bucket.tokens + gainedTokens);",
    replace: "bucket.tokens = bucket.tokens + gainedTokens;",
    tests: [rateTest],
  },
  {
    name: "limits: a clock set back takes tokens away",
    file: rate,
    find: "const gainedTokens = Math.max(0, nowMs - bucket.atMs) * perMs;",
    replace: "const gainedTokens = (nowMs - bucket.atMs) * perMs;",
    tests: [rateTest],
  },
  {
    name: "limits: an IPv6 address is a network of its own",
    file: "server/platform/http/limits/network.ts",
    find: "        .slice(0, bits6 / 16)\n",
    replace: "",
    tests: ["server/platform/http/limits/network.test.ts"],
  },
  {
    name: "limits: an IPv6 site has no limit",
    file: "server/platform/http/limits/requestLimits.ts",
    find: "(site === null ? null : sites.take(site))",
    replace: "(site === null ? null : null)",
    tests: [limitsTest],
  },
  {
    name: "limits: an unknown token costs its network nothing",
    file: "server/platform/http/limits/requestLimits.ts",
    find: "      calls.charge(ip, limits.unknownToken);\n",
    replace: "",
    tests: [limitsTest],
  },
  {
    name: "limits: sends to strangers are not counted",
    file: "server/send/execute.ts",
    find: "if (rows.length > 0) return [];",
    replace: "if (rows.length >= 0) return [];",
    tests: ["server/send/send.test.ts"],
  },
];

const pin = "server/pin/pin.ts";
const secrets = "server/platform/crypto/storedSecrets.ts";
const pinTest = "server/pin/pin.test.ts";

const pins: readonly Sabotage[] = [
  {
    name: "pin: tries are counted without a lock",
    file: secrets,
    find: "where ${key} = ${id} for update`",
    replace: "where ${key} = ${id}`",
    tests: [pinTest],
  },
  {
    name: "pin: a delay is not enforced",
    file: secrets,
    find: "if (untilMs !== null) return",
    replace: "if (untilMs !== null && untilMs < 0) return",
    tests: [pinTest],
  },
  {
    name: "pin: a sign-in replaces the PIN forever",
    file: pin,
    find: "signedInMs > nowMs || nowMs - signedInMs > freshSignInMs",
    replace: "signedInMs > nowMs",
    tests: [pinTest],
  },
  {
    name: "pin: it may be changed any number of times",
    file: pin,
    find: "    changes.require(owner.userId);\n",
    replace: "",
    tests: [pinTest],
  },
  {
    name: "pin: a try that nobody looked at counts as wrong",
    file: secrets,
    find: "          await undoAttempt(id, failures);\n",
    replace: "",
    tests: [pinTest],
  },
  {
    name: "pin: a clock that was set back locks people out",
    file: secrets,
    find: "return untilMs > nowMs && untilMs <= nowMs + waitMsMax ? untilMs : null;",
    replace: "return untilMs > nowMs ? untilMs : null;",
    tests: [pinTest],
  },
  {
    name: "pin: the third wrong try has a delay",
    file: "core/pin/pin.ts",
    find: "if (failures <= freeAttempts) return 0;",
    replace: "if (failures < freeAttempts) return 0;",
    tests: ["core/pin/pin.test.ts", pinTest],
  },
];

const links = "server/receipt-links/receiptLinks.ts";
const linksTest = "server/receipt-links/receiptLinks.test.ts";
const receiptLinks: readonly Sabotage[] = [
  {
    name: "links: one of somebody else's order is made",
    file: links,
    find: "      await receipts[kind](userId, orderId);\n",
    replace: "",
    tests: [linksTest],
  },
  {
    name: "links: an expired one opens its receipt",
    file: links,
    find: "where secret_hash = ${computeHash(secret)} and expires_at_ms > ${realClock.nowMs()}`",
    replace: "where secret_hash = ${computeHash(secret)}`",
    tests: [linksTest],
  },
  {
    name: "links: anybody takes one back",
    file: links,
    find: "where user_id = ${userId} and link_id::text",
    replace: "where link_id::text",
    tests: [linksTest],
  },
];

const worldsTest = "server/app/worlds/worlds.test.ts";

const worlds: readonly Sabotage[] = [
  {
    name: "worlds: one works in the schema of whoever had the connection last",
    file: "server/platform/db/database.ts",
    find: "    if (this.#schemas.get(client) === schema) return client;\n",
    replace: "    if (this.#schemas.has(client)) return client;\n",
    tests: ["server/platform/db/database.test.ts"],
  },
  {
    name: "worlds: all call their cookie the same",
    file: "server/app/worlds/worldAddress.ts",
    find: "sessionCookieName(entry.name)",
    replace: "sessionCookieName(null)",
    tests: ["server/app/worlds/worldAddress.test.ts"],
  },
  {
    name: "worlds: one falls asleep with open orders",
    file: "server/app/worlds/hostedWorld.ts",
    find: "Object.keys(await world.keptAwakeBy()).length === 0",
    replace: "Object.keys(await world.keptAwakeBy()).length >= 0",
    tests: [worldsTest],
  },
  {
    name: "worlds: one with people in it is removed without notice",
    file: "server/app/worlds/removal.ts",
    find: '  if (removeAfterMs === null) return { what: "give_notice" };\n',
    replace: '  if (removeAfterMs === null) return { what: "remove" };\n',
    tests: [worldsTest],
  },
];

const debriefRules = "core/classes/debrief.test.ts";
const debriefTest = "server/operator/debrief/debrief.test.ts";

const debriefs: readonly Sabotage[] = [
  {
    name: "debrief: a count of four people is shown",
    file: "core/classes/masking.ts",
    find: 'if (people < peopleMin) return { size: "few" };',
    replace: 'if (people < peopleMin - 1) return { size: "few" };',
    tests: [debriefRules],
  },
  {
    name: "debrief: one person's change is counted again",
    file: "core/classes/debrief.ts",
    find: "return changedCount === 0 || changedCount >= peopleMin;",
    replace: "return changedCount >= 0;",
    tests: [debriefRules, debriefTest],
  },
  {
    name: "debrief: beliefs of people who never agreed",
    file: "server/operator/debrief/members.ts",
    find: "beliefs: consentingIds.has(userId) ? await deps.beliefs.resolvedOf(userId) : [],",
    replace: "beliefs: await deps.beliefs.resolvedOf(userId),",
    tests: [debriefTest],
  },
  {
    name: "debrief: a figure outlives the consent that it was counted by",
    file: "server/operator/debrief/debrief.ts",
    find: 'part === "" || consentingIds.has(userId)',
    replace: 'part === "" || consentingIds.size >= 0',
    tests: [debriefTest],
  },
];

export const accessSabotages = [
  ...sessions,
  ...limits,
  ...pins,
  ...receiptLinks,
  ...worlds,
  ...debriefs,
];
