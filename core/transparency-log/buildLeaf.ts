import { bytesToHex, parseHash } from "#core/transparency-log/bytes.ts";
import {
  decodeJsonBody,
  encodeJsonLeaf,
  ensure,
  requireKeys,
} from "#core/transparency-log/leaf.ts";
import { ByteReader, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/** The pages that an instance serves from here on (docs/formats/build.md). */
export interface BuildLeaf {
  world: string;
  /** The version that the build states. */
  version: string;
  /** SHA-256 of the build's list, `/build.json`. */
  listHash: Uint8Array;
}

const versionMax = 64;

/** Throws a RangeError for values a decoder would refuse. */
export function encodeBuild({ world, version, listHash }: BuildLeaf): Uint8Array {
  const labels = { practice: true, backing: "none", world } as const;
  const bytes = encodeJsonLeaf("build", { ...labels, version, list: bytesToHex(listHash) });
  if (!decodeBuild(bytes, null).ok) throw new RangeError("not a valid build");
  return bytes;
}

/** Reads a `build` leaf of the world with this tag (null: of any world). */
export function decodeBuild(bytes: Uint8Array, tag: Uint8Array | null): Decoded<BuildLeaf> {
  return tryDecode(() => {
    const { body } = decodeJsonBody(new ByteReader(bytes), "build", tag);
    requireKeys(body, ["practice", "backing", "world", "version", "list"]);
    const { version, list } = body;
    ensure(typeof version === "string" && version.length > 0 && version.length <= versionMax);
    const listHash = typeof list === "string" ? parseHash(list) : null;
    ensure(listHash !== null);
    return { world: body.world, version, listHash };
  });
}
