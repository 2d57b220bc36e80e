import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, test } from "vitest";
import { encodeVkey, keyTypes, noteKey } from "#core/transparency-log/checkpoint.ts";
import { meetsQuorum, parseWitnessPolicy } from "./witnessPolicy.ts";

const getVkey = (name: string, seed: number) => {
  const publicKey = ed25519.getPublicKey(new Uint8Array(32).fill(seed));
  return encodeVkey(noteKey(name, publicKey, keyTypes.witness), keyTypes.witness);
};
const [one, two, three] = [1, 2, 3].map((seed) => getVkey(`w${seed}.example`, seed));
const both = `# who watches
witness A ${one} https://one.example/prefix/
  witness B\t${two}
witness C ${three} http://three.example

group AB all A B
group all-of-us 1 AB C
quorum all-of-us
`;

test("a policy is parsed as C2SP specifies it", () => {
  const read = parseWitnessPolicy(both);
  if (!read.ok) throw new Error(read.error);
  expect(read.policy.witnesses.map(({ name, url }) => [name, url])).toEqual([
    ["A", "https://one.example/prefix"],
    ["B", null],
    ["C", "http://three.example"],
  ]);
  expect(meetsQuorum(read.policy, new Set(["A"]))).toBe(false);
  expect(meetsQuorum(read.policy, new Set(["A", "B"]))).toBe(true);
  expect(meetsQuorum(read.policy, new Set(["C"]))).toBe(true);
});

test("a policy with quorum none is met without witnesses", () => {
  const read = parseWitnessPolicy("quorum none");
  expect(read.ok && meetsQuorum(read.policy, new Set())).toBe(true);
});

describe("a malformed line is reported with its number", () => {
  test.each([
    ["witness A\nquorum none", 1, /^it is: witness/],
    [`witness A ${one} ftp://x\nquorum A`, 1, /http/],
    [`witness A ${one}\nwitness A ${two}\nquorum A`, 2, /taken/],
    [`witness A ${one}\nwitness B ${one}\nquorum A`, 2, /listed already/],
    [`witness none ${one}\nquorum none`, 1, /taken/],
    [`group G any A\nwitness A ${one}\nquorum G`, 1, /not defined above/],
    [`witness A ${one}\ngroup G 2 A\nquorum G`, 2, /^it is: group/],
    [`witness A ${one}\ngroup G any A\ngroup H any A\nquorum G`, 3, /member already/],
    [`witness A ${one}\nquorum B`, 2, /not defined above/],
    [`witness A ${one}\nquorum A\nquorum A`, 3, /one quorum/],
    [`witness A ${one}`, 1, /no quorum/],
    ["quorum none\nhello", 2, /not log, witness/],
  ])("%s", (text, line, error) => {
    expect(parseWitnessPolicy(text)).toMatchObject({ ok: false, line });
    expect(parseWitnessPolicy(text)).toHaveProperty("error", expect.stringMatching(error));
  });
});
