import { bls12_381 } from "@noble/curves/bls12-381.js";
import { roundDomain, roundMessage, type VerifyRound } from "#core/transparency-log/beacon.ts";
import { equalBytes } from "#core/transparency-log/bytes.ts";

const scheme = bls12_381.shortSignatures;

/**
 * BLS12-381 with signatures in G1. A separate chunk of 40 KB: only worlds with a beacon need it.
 */
export const verifyRound: VerifyRound = ({ round, signature }, publicKey) => {
  try {
    const point = scheme.Signature.fromBytes(signature);
    // A different encoding of the same point would be a different value in the seed.
    if (!equalBytes(scheme.Signature.toBytes(point), signature)) return false;
    return scheme.verify(point, scheme.hash(roundMessage(round), roundDomain), publicKey);
  } catch {
    return false; // not a point of the right group
  }
};
