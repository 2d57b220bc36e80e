import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import {
  consistencyRanges,
  emptyRoot,
  inclusionRanges,
  leafHash,
  nodeHash,
  rootFromInclusion,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from "#core/transparency-log/merkle.ts";
import {
  appendLeaf,
  type CompactRange,
  emptyRange,
  rangeRoot,
} from "#core/transparency-log/range.ts";

/**
 * The test tree of the Certificate Transparency reference implementation: eight entries and their
 * roots.
 */
const entries = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
].map((hex) => hexToBytes(hex));
const roots = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/** RFC 9162, 2.1.1, literally: the slow definition the code is compared with. */
function definedRoot(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return emptyRoot();
  if (leaves.length === 1) return leaves[0]!;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(definedRoot(leaves.slice(0, k)), definedRoot(leaves.slice(k)));
}

function getLeaves(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) =>
    leafHash(Uint8Array.of(index >> 8, index & 255)),
  );
}

const hashes = entries.map(leafHash);
const toPath = (leaves: Uint8Array[], ranges: { start: number; end: number }[]) =>
  ranges.map(({ start, end }) => definedRoot(leaves.slice(start, end)));

describe("the tree of RFC 9162", () => {
  test("the root of the empty tree is SHA-256 of the empty string", () => {
    expect(bytesToHex(emptyRoot())).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });

  test.each(
    roots.map((root, index) => [index + 1, root] as const),
  )("the reference tree of %i entries has its published root", (size, root) => {
    expect(bytesToHex(treeRoot(hashes.slice(0, size)))).toBe(root);
    let range: CompactRange = emptyRange;
    for (const hash of hashes.slice(0, size)) range = appendLeaf(range, hash);
    expect(bytesToHex(rangeRoot(range))).toBe(root);
  });

  test("published inclusion and consistency proofs of the reference tree verify", () => {
    const inclusion = [
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ];
    expect(toPath(hashes, inclusionRanges(5, 8)).map(bytesToHex)).toEqual(inclusion);
    const consistency = [
      "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ];
    expect(toPath(hashes, consistencyRanges(6, 8)).map(bytesToHex)).toEqual(consistency);
  });

  test("every proof of every tree up to 40 leaves verifies, and only at its position", () => {
    const leaves = getLeaves(40);
    for (let size = 1; size <= 40; size += 1) {
      const tree = leaves.slice(0, size);
      const root = treeRoot(tree);
      expect(root).toEqual(definedRoot(tree));
      for (let index = 0; index < size; index += 1) {
        const path = toPath(tree, inclusionRanges(index, size));
        expect(verifyInclusion({ leaf: leaves[index]!, index, size, path }, root)).toBe(true);
        const otherIndex = (index + 1) % size;
        if (otherIndex !== index) {
          expect(
            verifyInclusion({ leaf: leaves[index]!, index: otherIndex, size, path }, root),
          ).toBe(false);
        }
        expect(rootFromInclusion(leaves[index]!, index, size, [...path, root])).toBeNull();
      }
      for (let from = 0; from <= size; from += 1) {
        const oldTree = { size: from, root: treeRoot(leaves.slice(0, from)) };
        const path = toPath(tree, consistencyRanges(from, size));
        expect(verifyConsistency(oldTree, { size, root }, path)).toBe(true);
        expect(verifyConsistency({ ...oldTree, root: leaves[39]! }, { size, root }, path)).toBe(
          false,
        );
      }
    }
  });

  test("a proof with a changed byte or an added or missing element never verifies", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 600 }), fc.nat(), fc.nat(), (size, a, b) => {
        const leaves = getLeaves(size);
        const index = a % size;
        const root = treeRoot(leaves);
        const path = toPath(leaves, inclusionRanges(index, size));
        const proof = { leaf: leaves[index]!, index, size, path };
        expect(verifyInclusion(proof, root)).toBe(true);
        const brokenPath = path.map((hash) => hash.slice());
        brokenPath[b % brokenPath.length]![b % 32]! ^= 1;
        expect(verifyInclusion({ ...proof, path: brokenPath }, root)).toBe(false);
        expect(verifyInclusion({ ...proof, path: path.slice(1) }, root)).toBe(false);
        expect(verifyInclusion({ ...proof, path: [...path, root] }, root)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});
