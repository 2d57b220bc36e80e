import type { KnownArchive } from "./archive.ts";
import type { Step } from "./contracts/receipt.ts";
import { type CheckedEvidence, describeKey } from "./evidence/check.ts";
import { type Cosignature, cosignedWithinSeconds, keyMaterial } from "./log/note.ts";
import { describeMixedSeed, type MixedSeed } from "./log/seed.ts";

/** The verifier's report, and its printed form. */
export const statement =
  "The arithmetic agrees. This does not show that any money exists or can be paid.";

export interface CheckReport {
  subject: string;
  agrees: boolean;
  steps: Step[];
  difference: { step: string; name: string; detail: string } | null;
  market: { kind: string; speed: number } | null;
  /** For a simulated market: the source mixed into the day's seed; null if the log does not say. */
  seed?: MixedSeed | null;
  /** The last leaf that it depends on: an earlier cosigned tree does not vouch for it. */
  last_leaf: number;
  /** For an evidence file: what vouches for it besides its own signature. */
  evidence?: CheckedEvidence;
}

/** The server's statements cannot be counted, only signatures. */
export interface CosignatureReport {
  configured: number;
  /** The keys that the reader configured. */
  keys: readonly string[];
  /** Witnesses that cosigned recently. */
  verified: number;
  /** Leaves of the tree that they cosigned; 0 when none did. */
  size: number;
  signatures: Cosignature[];
}

/** The result of checking all subjects. */
export interface Report {
  log: string[];
  reports: CheckReport[];
  /** Null when no log was read. */
  witnesses: CosignatureReport | null;
  /** The archive that was read; null for an instance. */
  archive: KnownArchive | null;
}

/**
 * Characters that a terminal would interpret instead of show: controls, and those that change the
 * direction of text. Servers and receipts choose these texts.
 */
const controlCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** The text with such characters written as `\\u` and four digits. */
export const escapeControls = (text: string): string =>
  text.replace(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

export const writeLine = (line: string) => console.log(escapeControls(line));

/** A cosignature may state any time. */
const formatTime = (seconds: number): string =>
  seconds < 8_640_000_000_000 ? new Date(seconds * 1_000).toISOString() : `second ${seconds}`;

export function printReport({ log, reports, witnesses, archive }: Report): void {
  for (const line of log) writeLine(`log      ${line}`);
  printArchive(archive);
  if (witnesses) {
    const cosignedText = `this log within ${cosignedWithinSeconds / 60} minutes`;
    writeWitnesses(witnesses, cosignedText);
  }
  for (const report of reports) printCheck(report, witnesses);
}

/** Prints the signer of the archive that was read. */
export function printArchive(archive: KnownArchive | null): void {
  if (archive) for (const line of describeKey(archive)) writeLine(`key      ${line}`);
}

type CosignatureCount = Pick<CosignatureReport, "configured" | "verified" | "size" | "signatures">;

function writeWitnesses(
  { configured, verified, size, signatures }: CosignatureCount,
  what: string,
): void {
  writeLine(
    configured === 0
      ? "log      Outside witnesses: none checked. Name the ones you know with --witness."
      : `log      Outside witnesses: ${verified} of the ${configured} you named cosigned ${what}.`,
  );
  for (const { vkey, seconds } of signatures)
    writeLine(`log      ${vkey.split("+")[0]} cosigned ${size} leaves at ${formatTime(seconds)}.`);
}

function printCheck(report: CheckReport, witnesses: CosignatureReport | null): void {
  const { subject, agrees, steps, difference, market, evidence, last_leaf: last } = report;
  writeLine("");
  writeLine(subject);
  for (const { step, message } of steps) writeLine(`${step.padEnd(10)} ${message}`);
  if (difference)
    writeLine(`DIFFERS  at "${difference.step}": ${difference.name}. ${difference.detail}`);
  if (evidence) {
    writeWitnesses(evidence.witnesses, "the checkpoint in the file");
    for (const line of describeKey(evidence)) writeLine(`key      ${line}`);
  }
  // A promise is not a receipt: it does not name a market.
  if (!agrees || market === null) return;
  if (!evidence && witnesses && witnesses.signatures.length > 0 && last >= witnesses.size)
    writeLine(`witnesses  none cosigned leaf ${last}, on which it rests, yet.`);
  if (market.kind !== "live")
    writeLine(`market   ${market.kind}: whoever set it up could know the path.`);
  if (report.seed !== undefined) writeLine(`seed     ${describeSeed(report, witnesses)}`);
  writeLine(statement);
}

/** Describes the day's seed and whether the operator could have chosen it. */
function describeSeed(
  { seed, evidence }: CheckReport,
  witnesses: CosignatureReport | null,
): string {
  if (!seed) return "the operator could have chosen this day's seed.";
  const keys = [...(witnesses?.keys ?? []), ...(evidence?.witnesses.keys ?? [])];
  const { mixed, chosen } = describeMixedSeed(seed, (vkey) =>
    keys.some((vkeyOfWitness) => keyMaterial(vkeyOfWitness) === keyMaterial(vkey)),
  );
  return chosen === null
    ? `mixed with ${mixed}, which the operator could not choose.`
    : `the operator could have chosen this day's seed: ${chosen}.`;
}
