import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes } from "#core/transparency-log/bytes.ts";
import {
  consistencyRanges,
  inclusionRanges,
  leafHash,
  treeRoot,
} from "#core/transparency-log/merkle.ts";
import {
  decodeBundle,
  encodeBundle,
  parseTilePath,
  rangeHash,
  tilePath,
  tilesForRanges,
  tileWidthAt,
} from "#core/transparency-log/tile.ts";

describe("tiles", () => {
  test.each([
    [{ level: 0, index: 1_234_067, width: 256 }, "tile/0/x001/x234/067"],
    [{ level: 0, index: 0, width: 256 }, "tile/0/000"],
    [{ level: 0, index: 0, width: 7 }, "tile/0/000.p/7"],
    [{ level: 63, index: 999, width: 255 }, "tile/63/999.p/255"],
    [{ level: "entries" as const, index: 1000, width: 1 }, "tile/entries/x001/000.p/1"],
  ])("%j has the path %s", (tile, path) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  test.each([
    "tile/0/0",
    "tile/00/000",
    "tile/64/000",
    "tile/0/x000/001",
    "tile/0/001/x000",
    "tile/0/000.p/0",
    "tile/0/000.p/256",
    "tile/0/000.p/01",
    "tile/-1/000",
    "tile/0/000/",
    "tile/data/000",
    "tile/0/../000",
  ])("%s is not a tile", (path) => {
    expect(parseTilePath(path)).toBeNull();
  });

  test("a tree of 70 000 has the tile widths of the C2SP example", () => {
    expect(tileWidthAt(0, 272, 70_000)).toBe(256);
    expect(tileWidthAt(0, 273, 70_000)).toBe(112);
    expect(tileWidthAt(1, 0, 70_000)).toBe(256);
    expect(tileWidthAt(1, 1, 70_000)).toBe(17);
    expect(tileWidthAt(2, 0, 70_000)).toBe(1);
    expect(tileWidthAt(1, 0, 256)).toBe(1);
  });

  const size = 66_000;
  const leaves = Array.from({ length: size }, (_, index) =>
    leafHash(Uint8Array.of(index >> 16, (index >> 8) & 255, index & 255)),
  );
  const readers = new Map<string, Uint8Array>();
  function read(treeSize: number) {
    return (level: number, index: number): Uint8Array => {
      const width = tileWidthAt(level, index, treeSize);
      const name = `${level}/${index}/${width}`;
      let bytes = readers.get(name);
      if (!bytes) {
        const span = 256 ** level;
        bytes = concatBytes(
          ...Array.from({ length: width }, (_, position) => {
            const start = (index * 256 + position) * span;
            return treeRoot(leaves.slice(start, start + span));
          }),
        );
        readers.set(name, bytes);
      }
      return bytes;
    };
  }

  function checkTiles(treeSize: number, pick: number): void {
    const ranges = [
      { start: 0, end: treeSize },
      ...inclusionRanges(pick % treeSize, treeSize),
      ...consistencyRanges((pick % treeSize) + 1, treeSize),
    ];
    const named = new Set(
      tilesForRanges(ranges, treeSize).map((tile) => `${tile.level}/${tile.index}`),
    );
    for (const range of ranges) {
      const hash = rangeHash(range, (level, index) => {
        expect(named.has(`${level}/${index}`)).toBe(true);
        return read(treeSize)(level, index);
      });
      expect(hash).toEqual(treeRoot(leaves.slice(range.start, range.end)));
    }
  }

  test("roots and proofs computed from tiles equal those computed from leaves", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(), checkTiles), {
      numRuns: 20,
    });
  });

  test("roots and proofs agree with tiles of three levels", () => checkTiles(size, 65_700), 60_000);

  test("a tile that is too short throws", () => {
    expect(() => rangeHash({ start: 0, end: 2 }, () => new Uint8Array(32))).toThrow(RangeError);
  });
});

describe("entry bundles", () => {
  test("entries survive a round trip", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 40 }), (entries) => {
        expect(decodeBundle(encodeBundle(entries))).toEqual(entries);
      }),
    );
  });
  test.each([
    [[0]],
    [[0, 1]],
    [[0, 0, 1]],
    [[255, 255, 1]],
  ])("bundle %j is truncated and refused", (bytes) => {
    expect(decodeBundle(Uint8Array.from(bytes))).toBeNull();
  });
  test("an entry past 65 535 bytes is refused", () => {
    expect(() => encodeBundle([new Uint8Array(65_536)])).toThrow(RangeError);
  });
});
