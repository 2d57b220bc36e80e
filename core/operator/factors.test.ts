import { describe, expect, test } from "vitest";
import {
  areFactorsReady,
  type FactorState,
  getNeededProof,
  getRelyingPartyId,
} from "#core/operator/factors.ts";

const noFactors: FactorState = { passphrase: false, keys: 0, keysAtOneAddress: 0, reset: false };

describe("the configured factors decide on changes and on what elevation requires", () => {
  test.each<[string, Partial<FactorState>, boolean, string]>([
    ["no factor", {}, false, "signature"],
    ["no factor since a reset", { reset: true }, false, "code"],
    ["a passphrase", { passphrase: true }, true, "factor"],
    ["a single key, which could be lost", { keys: 1, keysAtOneAddress: 1 }, false, "factor"],
    ["one key since a reset", { keys: 1, keysAtOneAddress: 1, reset: true }, false, "factor"],
    ["two keys", { keys: 2, keysAtOneAddress: 2 }, true, "factor"],
    ["two keys at two addresses", { keys: 2, keysAtOneAddress: 1 }, false, "factor"],
    ["a key and a passphrase", { passphrase: true, keys: 1, keysAtOneAddress: 1 }, true, "factor"],
  ])("%s", (_title, state, ready, needed) => {
    expect([
      areFactorsReady({ ...noFactors, ...state }),
      getNeededProof({ ...noFactors, ...state }),
    ]).toEqual([ready, needed]);
  });
});

test.each<[string, string | null]>([
  ["https://practice.example.org", "practice.example.org"],
  ["https://Practice.Example.org:8443", "practice.example.org"],
  ["https://drydock.local", "drydock.local"],
  ["http://localhost:8080", "localhost"],
  ["http://class.localhost:8080", "class.localhost"],
  ["http://practice.example.org", null],
  ["http://drydock.local", null],
  ["http://127.0.0.1:8080", null],
  ["http://192.168.1.4:8080", null],
  ["https://192.168.1.4", null],
  ["https://[fd00::4]:8080", null],
])("the relying party of %s is %s", (url, rpId) => {
  expect(getRelyingPartyId(new URL(url))).toBe(rpId);
});
