import { expect } from "vitest";
import type { OperatorWorld, Person } from "#server/operator/testing.ts";
import { type Change, createSoftwareKey, type SoftwareKey } from "./softwareKey.testdata.ts";

/** The answer to a call that elevated. */
export const elevatedAnswer = { raised_until_ms: expect.any(Number) };

/** Calls as `person`; the name of the error if it was refused. */
export async function post(
  world: OperatorWorld,
  person: Person,
  name: string,
  payload: object = {},
) {
  const { error, data } = await world.post(person, name, payload);
  return error ?? data;
}

export async function factors(world: OperatorWorld, person: Person) {
  return (await world.get(person, "getFactors")).data;
}

export async function elevateWith(world: OperatorWorld, person: Person, proof: object = {}) {
  return post(world, person, "raise", { ...(await world.signedRaise(person)), ...proof });
}

export async function getOperatorId(world: OperatorWorld, person: Person) {
  return (await world.ids()).get(person.userId)!;
}

export async function addKey(
  world: OperatorWorld,
  person: Person,
  name = "Blue key",
  change: Change = {},
) {
  const key = createSoftwareKey();
  const { challenge } = (await world.get(person, "getKeyChallenge")).data;
  const answer = await post(world, person, "addKey", { name, ...key.create(challenge, change) });
  return { key, answer };
}

export async function elevateWithKey(
  world: OperatorWorld,
  person: Person,
  key: SoftwareKey,
  change: Change = {},
) {
  const signedRaise = await world.signedRaise(person);
  const nonce = /\nNonce: ([0-9a-f]+)/.exec(signedRaise.message)![1]!;
  return post(world, person, "raise", {
    ...signedRaise,
    key: key.get(Buffer.from(nonce, "hex"), change),
  });
}
