import { createPublicKey, verify } from "node:crypto";

/** The field of edwards25519, its curve constant and the order of its prime-order subgroup. */
const p = 2n ** 255n - 19n;
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const order = 2n ** 252n + 27742317777372353535851937790883648493n;
const sqrtMinusOne = power(2n, (p - 1n) / 4n);

const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** Extended coordinates: x = X/Z, y = Y/Z, T = XY/Z. */
type Point = readonly [bigint, bigint, bigint, bigint];
const identity: Point = [0n, 1n, 1n, 0n];

/**
 * Returns true if `signature` is a valid Ed25519 signature under the one rule of
 * docs/formats/log.md: the key and R are canonical encodings of points of the prime-order subgroup
 * other than the identity, S is below the group order, and S·B = R + k·A without a cofactor.
 */
export function verifyEd25519(message: Buffer, signature: Buffer, publicKey: Buffer): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
  if (littleEndian(s) >= order) return false;
  if (!isPrimeOrder(publicKey) || !isPrimeOrder(r)) return false;
  const key = createPublicKey({
    key: Buffer.concat([spkiPrefix, publicKey]),
    format: "der",
    type: "spki",
  });
  return verify(null, message, key, signature);
}

function isPrimeOrder(encoded: Buffer): boolean {
  const point = decode(encoded);
  if (point === null || isIdentity(point)) return false;
  return isIdentity(multiply(order, point));
}

/** RFC 8032, section 5.1.3; null for an encoding that is not canonical or not on the curve. */
function decode(encoded: Buffer): Point | null {
  const value = littleEndian(encoded);
  const y = value & (2n ** 255n - 1n);
  const sign = value >> 255n;
  if (y >= p) return null;
  const u = mod(y * y - 1n);
  const v = mod(d * y * y + 1n);
  const guess = mod(u * v ** 3n * power(mod(u * v ** 7n), (p - 5n) / 8n));
  const check = mod(v * guess * guess);
  let x: bigint;
  if (check === u) x = guess;
  else if (check === mod(-u)) x = mod(guess * sqrtMinusOne);
  else return null;
  if (x === 0n && sign === 1n) return null;
  if ((x & 1n) !== sign) x = p - x;
  return [x, y, 1n, mod(x * y)];
}

/** RFC 8032, section 5.1.4; the formula is complete, so it doubles as well. */
function add([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * d * t1 * t2);
  const e = mod(2n * z1 * z2);
  return [
    mod((b - a) * (e - c)),
    mod((e + c) * (b + a)),
    mod((e - c) * (e + c)),
    mod((b - a) * (b + a)),
  ];
}

function multiply(scalar: bigint, point: Point): Point {
  let sum = identity;
  let doubled = point;
  for (let bits = scalar; bits > 0n; bits >>= 1n) {
    if ((bits & 1n) === 1n) sum = add(sum, doubled);
    doubled = add(doubled, doubled);
  }
  return sum;
}

function isIdentity([x, y, z]: Point): boolean {
  return x === 0n && y === z;
}

function mod(value: bigint): bigint {
  const rest = value % p;
  return rest < 0n ? rest + p : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let bits = exponent; bits > 0n; bits >>= 1n) {
    if ((bits & 1n) === 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

function littleEndian(bytes: Buffer): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}
