import type { Step } from "../contracts/receipt.ts";
import { compareStored } from "../log/checkpointStore.ts";
import {
  type Cosignature,
  findCosignatures,
  isSignedBy,
  parseVerifierKey,
  type VerifierKey,
} from "../log/note.ts";
import { parseGivenKey } from "../source.ts";
import { type OpenedEvidence, openEvidence } from "./evidence.ts";

/** The reader's independent knowledge, which no file can supply. */
interface ReaderKnowledge {
  /** The file that stores known logs. */
  storeFile: string;
  /** Verifier keys of logs. */
  keys: readonly string[];
  witnessKeys: readonly VerifierKey[];
}

export interface CheckedEvidence {
  origin: string;
  size: number;
  vkey: string;
  /** The reader's knowledge of the key; `other`: the reader knows the log by another key. */
  key: "known" | "unknown" | "other";
  /**
   * The reader's witnesses that cosigned at any time, because a file may be checked years later.
   */
  witnesses: {
    configured: number;
    keys: readonly string[];
    verified: number;
    size: number;
    signatures: Cosignature[];
  };
  found: OpenedEvidence["found"];
}

/** Opens an evidence file and compares it with the reader's knowledge of the log. */
export function checkEvidence(
  value: unknown,
  { storeFile, keys, witnessKeys }: ReaderKnowledge,
): { opened: OpenedEvidence; steps: Step[]; evidence: CheckedEvidence } {
  const verifierKeys = keys.map(parseGivenKey);
  const evidence = openEvidence(value);
  const { checkpoint, vkey, found } = evidence;
  const { origin, size } = checkpoint;
  const storedComparison = compareStored(storeFile, checkpoint);
  const trusted = [
    ...verifierKeys,
    ...(storedComparison === null ? [] : [parseVerifierKey(storedComparison)]),
  ].filter(({ name }) => name === origin);
  const isTrusted = trusted.some((key) => isSignedBy(checkpoint, key));
  const signatures = findCosignatures(checkpoint, witnessKeys);
  const otherwise = trusted.length > 0 ? "other" : "unknown";
  return {
    opened: evidence,
    steps: [
      { step: "evidence", message: "The file is complete and marked as practice." },
      { step: "note", message: `Checkpoint of ${size} leaves, signed by ${origin}.` },
      { step: "proofs", message: "Every leaf in the file stands under that checkpoint." },
    ],
    evidence: {
      origin,
      size,
      vkey,
      key: isTrusted ? "known" : otherwise,
      witnesses: {
        configured: witnessKeys.length,
        keys: witnessKeys.map(({ vkey: known }) => known),
        verified: signatures.length,
        size,
        signatures,
      },
      found,
    },
  };
}

/** The key's meaning to the reader, in plain words. */
export function describeKey({
  key,
  vkey,
  origin,
}: Pick<CheckedEvidence, "key" | "vkey" | "origin">): string[] {
  if (key === "known") return [`You know the key that signed: ${vkey}`];
  return [
    `NOT KNOWN to you: ${vkey}`,
    key === "other"
      ? `You know a log named ${origin} by another key. Either its key was changed, or this file is of somebody else's log.`
      : "Anyone can make a key and a log of their own, and sign whatever they like with it.",
    "The file shows what the holder of this key signed, and not who that is. Compare the key with one that you have from elsewhere, and pass that one with --key.",
  ];
}
