import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, test } from "vitest";
import { encodeVkey, keyTypes, noteKey } from "#core/transparency-log/checkpoint.ts";
import { meetsQuorum, parseWitnessPolicy } from "./witnessPolicy.ts";

const getVkey = (name: string, seed: number) => {
  const publicKey = ed25519.getPublicKey(new Uint8Array(32).fill(seed));
  return encodeVkey(noteKey(name, publicKey, keyTypes.witness), keyTypes.witness);
};
const [first, second, third] = [1, 2, 3].map((seed) => getVkey(`w${seed}.example`, seed));
const policyText = `# who watches
witness A ${first} https://one.example/prefix/
  witness B\t${second}
witness C ${third} http://three.example

group AB all A B
group all-of-us 1 AB C
quorum all-of-us
`;

test("a policy is parsed as C2SP specifies it", () => {
  const result = parseWitnessPolicy(policyText);
  if (!result.ok) throw new Error(result.error);
  expect(result.policy.witnesses.map(({ name, url }) => [name, url])).toEqual([
    ["A", "https://one.example/prefix"],
    ["B", null],
    ["C", "http://three.example"],
  ]);
  expect(meetsQuorum(result.policy, new Set(["A"]))).toBe(false);
  expect(meetsQuorum(result.policy, new Set(["A", "B"]))).toBe(true);
  expect(meetsQuorum(result.policy, new Set(["C"]))).toBe(true);
});

test("a policy with quorum none is met without witnesses", () => {
  const result = parseWitnessPolicy("quorum none");
  expect(result.ok && meetsQuorum(result.policy, new Set())).toBe(true);
});

describe("a malformed line is reported with its number", () => {
  test.each([
    ["witness A\nquorum none", 1, /^it is: witness/],
    [`witness A ${first} ftp://x\nquorum A`, 1, /http/],
    [`witness A ${first}\nwitness A ${second}\nquorum A`, 2, /taken/],
    [`witness A ${first}\nwitness B ${first}\nquorum A`, 2, /listed already/],
    [`witness none ${first}\nquorum none`, 1, /taken/],
    [`group G any A\nwitness A ${first}\nquorum G`, 1, /not defined above/],
    [`witness A ${first}\ngroup G 2 A\nquorum G`, 2, /^it is: group/],
    [`witness A ${first}\ngroup G any A\ngroup H any A\nquorum G`, 3, /member already/],
    [`witness A ${first}\nquorum B`, 2, /not defined above/],
    [`witness A ${first}\nquorum A\nquorum A`, 3, /one quorum/],
    [`witness A ${first}`, 1, /no quorum/],
    ["quorum none\nhello", 2, /not log, witness/],
  ])("%s", (text, line, error) => {
    expect(parseWitnessPolicy(text)).toMatchObject({ ok: false, line });
    expect(parseWitnessPolicy(text)).toHaveProperty("error", expect.stringMatching(error));
  });
});
