import { decodeHead, ensure, leafHead } from "#core/transparency-log/leaf.ts";
import { emptyRoot, leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { ByteReader, ByteWriter, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/** Best bid and ask of one venue, integers at the symbol's scale; 0 < bid ≤ ask. */
interface LeafQuote {
  bid: bigint;
  ask: bigint;
}

/**
 * A closed second of a world: the venues' quotes, the index computed from them, and the orders
 * accepted since the previous second.
 */
export interface SecondLeaf {
  /** World time, a whole second in milliseconds. */
  secondMs: number;
  /**
   * `quotes[venue][symbol]` in the order of the `world` leaf; null when that venue's quote is stale
   * or missing.
   */
  quotes: readonly (readonly (LeafQuote | null)[])[];
  /** By symbol; null in a gap. */
  index: readonly (bigint | null)[];
  /**
   * Orders bound by this leaf: their number, and the root over their hashes in order of acceptance.
   */
  ordersCount: number;
  ordersRoot: Uint8Array;
}

const venuesMax = 60;
const symbolsMax = 1_000;

/** The RFC 9162 root over 32-byte order hashes (each a leaf entry), and their number. */
export function bindOrders(
  orderHashes: readonly Uint8Array[],
): Pick<SecondLeaf, "ordersCount" | "ordersRoot"> {
  return { ordersCount: orderHashes.length, ordersRoot: treeRoot(orderHashes.map(leafHash)) };
}

/**
 * Encodes a second (docs/formats/log.md). Throws a RangeError for values a decoder would refuse.
 */
export function encodeSecond(leaf: SecondLeaf, worldTag: Uint8Array): Uint8Array {
  const venues = leaf.quotes.length;
  const writer = new ByteWriter();
  writer.raw(leafHead("second", worldTag));
  if (leaf.secondMs % 1000 !== 0) throw new RangeError("secondMs must be a whole second");
  writer.uint(leaf.secondMs / 1000);
  writer.uint(leaf.ordersCount);
  if (leaf.ordersCount > 0) {
    if (leaf.ordersRoot.length !== 32) throw new RangeError("orders_root must be 32 bytes");
    writer.raw(leaf.ordersRoot);
  }
  if (venues > venuesMax || leaf.index.length > symbolsMax)
    throw new RangeError("too many columns");
  writer.uint(venues);
  writer.uint(leaf.index.length);
  for (const [symbol, index] of leaf.index.entries()) {
    writeSymbol(
      writer,
      index,
      leaf.quotes.map((row) => row[symbol] ?? null),
    );
  }
  return writer.bytes();
}

function writeSymbol(writer: ByteWriter, index: bigint | null, quotes: (LeafQuote | null)[]): void {
  let presenceMask = index === null ? 0n : 1n;
  for (const [venue, quote] of quotes.entries()) if (quote) presenceMask |= 1n << BigInt(venue + 1);
  writer.uint(presenceMask);
  let near = 0n;
  if (index !== null) {
    if (index <= 0n) throw new RangeError("an index must be positive");
    writer.uint(index);
    near = index;
  }
  for (const quote of quotes) {
    if (!quote) continue;
    if (quote.bid <= 0n || quote.ask < quote.bid) throw new RangeError("quotes need 0 < bid ≤ ask");
    // Venues agree within a few ticks, so the distance to the previous one takes a byte or two.
    writer.int(quote.bid - near);
    writer.uint(quote.ask - quote.bid);
    near = quote.bid;
  }
}

/**
 * Decodes a `second` leaf of the world with this tag (null: of any world). Refuses any bytes the
 * encoder cannot write.
 */
export function decodeSecond(bytes: Uint8Array, worldTag: Uint8Array | null): Decoded<SecondLeaf> {
  return tryDecode(() => {
    const reader = new ByteReader(bytes);
    decodeHead(reader, "second", worldTag);
    const second = reader.count(Math.floor(Number.MAX_SAFE_INTEGER / 1000));
    const ordersCount = reader.count(2 ** 32);
    const ordersRoot = ordersCount > 0 ? reader.raw(32) : emptyRoot();
    const venues = reader.count(venuesMax);
    const symbols = reader.count(symbolsMax);
    const quotes: (LeafQuote | null)[][] = Array.from({ length: venues }, () => []);
    const index: (bigint | null)[] = [];
    for (let symbol = 0; symbol < symbols; symbol += 1) {
      const symbol = readSymbol(reader, venues);
      index.push(symbol.index);
      for (const [venue, row] of quotes.entries()) row.push(symbol.quotes[venue]!);
    }
    reader.end();
    return { secondMs: second * 1000, quotes, index, ordersCount, ordersRoot };
  });
}

function readSymbol(
  reader: ByteReader,
  venues: number,
): { index: bigint | null; quotes: (LeafQuote | null)[] } {
  const presenceMask = reader.uint();
  ensure(presenceMask < 1n << BigInt(venues + 1));
  let index: bigint | null = null;
  let near = 0n;
  if (presenceMask & 1n) {
    index = reader.uint();
    ensure(index > 0n);
    near = index;
  }
  const quotes = Array.from({ length: venues }, (_, venue) => {
    if (!(presenceMask & (1n << BigInt(venue + 1)))) return null;
    const bid = near + reader.int();
    const ask = bid + reader.uint();
    ensure(bid > 0n);
    near = bid;
    return { bid, ask };
  });
  return { index, quotes };
}
