import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createOperatorWorld, type OperatorWorld, type Person } from "#server/operator/testing.ts";
import { testPassphrase } from "#server/testing/passphrase.ts";
import { type Change, createSoftwareKey, type SoftwareKey } from "./softwareKey.testdata.ts";
import { addKey, elevatedAnswer, elevateWith, elevateWithKey, factors, post } from "./testing.ts";

let world: OperatorWorld;
let owner: Person;
/** A publisher without a factor, new for each test. */
let holder: Person;
const lan = "127.0.0.1:4100";

beforeAll(async () => {
  world = await createOperatorWorld();
  owner = await world.operator("owner");
});
afterAll(() => world.close());
beforeEach(async () => {
  world.ctx.realClock.advanceMs(61_000);
  holder = await world.operator("publisher", owner, false);
});

describe("a security key", () => {
  let key: SoftwareKey;
  beforeEach(async () => {
    await elevateWith(world, holder);
    const addedKey = await addKey(world, holder);
    expect(addedKey.answer).toEqual({ key_id: expect.any(String) });
    key = addedKey.key;
  });

  test("a second key is required, within the same elevation", async () => {
    expect(await factors(world, holder)).toMatchObject({ ready: false, needed: "factor" });
    await addKey(world, holder, "Red key");
    const { ready, keys } = await factors(world, holder);
    expect(ready).toBe(true);
    expect(keys).toMatchObject([
      { name: "Blue key", rp_id: "localhost", transports: ["usb"], last_used_at_ms: null },
      { name: "Red key" },
    ]);
    expect((await world.get(holder, "getMe")).data.operator.raised_until_ms).toBeNull();
  });

  test("a key elevates with its answer to the nonce, and its use is recorded", async () => {
    expect(await elevateWithKey(world, holder, key)).toEqual(elevatedAnswer);
    const [{ last_used_at_ms: usedAtMs }] = (await factors(world, holder)).keys;
    expect(usedAtMs).toBeGreaterThan(world.ctx.realClock.nowMs() - 10_000);
  });

  test.each<[string, Change]>([
    ["for another page", { origin: "http://localhost:4200" }],
    ["for another host", { rpId: "evil.example" }],
    ["without the user being verified", { userVerified: false }],
    ["to a registration", { type: "webauthn.create" }],
  ])("a key's answer %s does not elevate", async (_title, change) => {
    expect(await elevateWithKey(world, holder, key, change)).toBe("operator.key_wrong");
    expect(await elevateWithKey(world, holder, key)).toEqual(elevatedAnswer);
  });

  test("an answer to another nonce or from another or unknown key is refused", async () => {
    const otherInput = await world.signedRaise(holder);
    expect(
      await post(world, holder, "raise", { ...otherInput, key: key.get(randomBytes(16)) }),
    ).toBe("operator.key_wrong");
    expect(await elevateWithKey(world, holder, createSoftwareKey())).toBe("operator.key_wrong");
    await elevateWith(world, owner, { passphrase: testPassphrase });
    const owners = await addKey(world, owner);
    expect(await elevateWithKey(world, holder, owners.key)).toBe("operator.key_wrong");
  });

  test("a copied key is detected by its counter", async () => {
    expect(await elevateWithKey(world, holder, key)).toEqual(elevatedAnswer);
    key.counter = 0;
    expect(await elevateWithKey(world, holder, key)).toBe("operator.key_wrong");
  });

  test("the counter may reach its 32-bit maximum", async () => {
    key.counter = 0xffffffff - 2;
    expect(await elevateWithKey(world, holder, key)).toEqual(elevatedAnswer);
    expect(await elevateWithKey(world, holder, key)).toEqual(elevatedAnswer);
    expect(key.counter).toBe(0xffffffff);
    const oldKey = await addKey(world, holder, "Old key", { counter: 0xffffffff });
    expect(oldKey.answer).toEqual({ key_id: expect.any(String) });
  });

  test("a key is registered once, by the challenged session, within five minutes", async () => {
    const softwareKey = createSoftwareKey();
    const getChallenge = async (person: Person) =>
      (await world.get(person, "getKeyChallenge")).data.challenge;
    const add = async (person: Person, challenge: string, change: Change = {}) =>
      post(world, person, "addKey", { name: "x", ...softwareKey.create(challenge, change) });
    const challenge = await getChallenge(holder);
    const otherSession = world.again(holder);
    expect(await elevateWithKey(world, otherSession, key)).toEqual(elevatedAnswer);
    expect(await add(otherSession, challenge)).toBe("operator.key_wrong");
    expect(await add(holder, challenge, { userVerified: false })).toBe("operator.key_wrong");
    // Used up by the attempt.
    expect(await add(holder, challenge)).toBe("operator.key_wrong");
    const lateChallenge = await getChallenge(holder);
    world.ctx.realClock.advanceMs(5 * 60_000);
    expect(await add(holder, lateChallenge)).toBe("operator.key_wrong");
    expect(await add(holder, randomBytes(32).toString("base64url"))).toBe("operator.key_wrong");
    expect(await add(holder, await getChallenge(holder))).toEqual({ key_id: expect.any(String) });
    world.ctx.realClock.advanceMs(61_000);
    await elevateWithKey(world, holder, key);
    expect(await add(holder, await getChallenge(holder))).toBe("operator.key_known");
  });

  test("keys are unavailable at an IP address", async () => {
    expect((await world.get(holder, "getFactors", {}, lan)).data.rp_id).toBeNull();
    const lanChallenge = await world.get(holder, "getKeyChallenge", {}, lan);
    expect(lanChallenge.error).toBe("operator.no_keys_here");
  });

  test("at most ten keys are registered", async () => {
    world.ctx.realClock.advanceMs(61_000);
    await elevateWithKey(world, holder, key);
    for (let number = 2; number <= 10; number += 1) {
      world.ctx.realClock.advanceMs(7_000);
      expect((await addKey(world, holder, `Key ${number}`)).answer).toEqual({
        key_id: expect.any(String),
      });
      if (number === 2) await elevateWithKey(world, holder, key);
    }
    const eleventh = await world.get(holder, "getKeyChallenge");
    expect(eleventh.error).toBe("operator.too_many_keys");
  });

  test("the second-last key and another person's key cannot be removed", async () => {
    await addKey(world, holder, "Red key");
    await elevateWithKey(world, holder, key);
    const [first] = (await factors(world, holder)).keys;
    expect(await post(world, holder, "removeKey", { key_id: first.key_id })).toBe(
      "operator.last_factor",
    );
    await addKey(world, holder, "Third");
    expect(await post(world, owner, "removeKey", { key_id: first.key_id })).toMatch(
      /^operator\.(key_unknown|raise_required)$/,
    );
    expect(await post(world, holder, "removeKey", { key_id: first.key_id })).toEqual({});
    expect(await elevateWithKey(world, holder, key)).toBe("operator.key_wrong");
  });
});
