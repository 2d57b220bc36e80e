import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";

const { Point } = ed25519;
type CurvePoint = InstanceType<typeof Point>;

const message = utf8ToBytes("drydock.invalid/vector/ed25519\n1\nAA==\n");
const fieldPrime = 2n ** 255n - 19n;
const order = Point.Fn.ORDER;
/** Secret scalars of the keys and of the nonces; any will do. */
const [secret, nonce] = [0x42n ** 30n % order, 0x17n ** 40n % order];

interface EncodedPoint {
  what: string;
  bytes: Uint8Array;
  /** The scalar of its part in the prime-order subgroup; 0 for a point of small order. */
  scalar: bigint;
  ok: boolean;
}

/**
 * Signatures whose key or R is a point that verifiers are known to disagree about, each with an S
 * that satisfies the equation up to the small-order parts, and what the rule of log.md says of it.
 */
export function createEd25519Vectors() {
  const torsion = smallOrderPoints();
  const encodings = (scalar: bigint): EncodedPoint[] => [
    ...torsion.flatMap((point, index) => [
      ...alternatives(point).map((bytes, form) => ({
        what: `small order ${index}${form === 0 ? "" : `, not canonical ${form}`}`,
        bytes,
        scalar: 0n,
        ok: false,
      })),
      {
        what: index === 0 ? "prime order" : `prime order + small order ${index}`,
        bytes: Point.BASE.multiply(scalar).add(point).toBytes(),
        scalar,
        ok: index === 0,
      },
    ]),
  ];
  const cases = encodings(secret).flatMap((key) =>
    encodings(nonce).map((r) => {
      const k = reduce(sha512(concatBytes(r.bytes, key.bytes, message)));
      const s = (r.scalar + k * key.scalar) % order;
      return { key, r, s, ok: key.ok && r.ok };
    }),
  );
  const validCase = cases.find(({ ok }) => ok)!;
  return {
    about:
      "Ed25519 signatures (R, S) of one message by points of every kind, and whether the rule of log.md accepts them.",
    message: bytesToHex(message),
    cases: [...cases, { ...validCase, s: validCase.s + order, ok: false }].map(
      ({ key, r, s, ok }) => ({
        key_is: key.what,
        r_is: r.what,
        key: bytesToHex(key.bytes),
        signature: bytesToHex(concatBytes(r.bytes, littleEndian(s))),
        ok,
      }),
    ),
  };
}

/** The eight points whose order divides 8, the identity first. */
function smallOrderPoints(): CurvePoint[] {
  for (let y = 3n; ; y += 1n) {
    let point: CurvePoint;
    try {
      point = Point.fromBytes(littleEndian(y), false);
    } catch {
      continue; // No point has this y.
    }
    // Multiplying by the group order leaves only the part of small order.
    const generator = point.multiplyUnsafe(order - 1n).add(point);
    const points = [Point.ZERO];
    while (points.length < 8) points.push(points.at(-1)!.add(generator));
    if (new Set(points.map((edwardsPoint) => edwardsPoint.toHex())).size === 8) return points;
  }
}

/** The canonical encoding of a point, then those that name the same point in another way. */
function alternatives(point: CurvePoint): Uint8Array[] {
  const { x, y } = point.toAffine();
  const sign = x & 1n;
  const values = [y + (sign << 255n)];
  if (y + fieldPrime < 2n ** 255n) values.push(y + fieldPrime + (sign << 255n));
  if (x === 0n) for (const value of [...values]) values.push(value + (1n << 255n));
  return values.map(littleEndian);
}

function littleEndian(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number((value >> BigInt(8 * index)) & 0xffn),
  );
}

function reduce(hash: Uint8Array): bigint {
  return hash.reduceRight((sum, byte) => (sum << 8n) + BigInt(byte), 0n) % order;
}
