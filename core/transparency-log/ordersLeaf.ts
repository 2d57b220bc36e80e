import { bytesToHex, parseHash } from "#core/transparency-log/bytes.ts";
import { decodeJsonBody, encodeJsonLeaf, ensure } from "#core/transparency-log/leaf.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { isCount } from "#core/transparency-log/schema.ts";
import { ByteReader, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/**
 * A `mark` leaf of type `orders`: calls accepted after the log of a recording has ended, when no
 * more seconds close (docs/formats/hosting.md). An RFC 9162 root over 32-byte hashes, each a leaf
 * entry.
 */
export function encodeOrders(world: string, hashes: readonly Uint8Array[]): Uint8Array {
  return encodeJsonLeaf("mark", {
    practice: true,
    backing: "none",
    world,
    type: "orders",
    count: hashes.length,
    root: bytesToHex(treeRoot(hashes.map(leafHash))),
  });
}

/** Decodes an `orders` leaf; refuses any other. */
export function decodeOrders(
  bytes: Uint8Array,
  tag: Uint8Array | null,
): Decoded<{ count: number; root: Uint8Array }> {
  return tryDecode(() => {
    const { body } = decodeJsonBody(new ByteReader(bytes), "mark", tag);
    const root = parseHash(body.root);
    ensure(Object.keys(body).length === 6);
    ensure(body.type === "orders" && isCount(body.count) && root !== null);
    return { count: body.count as number, root: root! };
  });
}
