import type { Step } from "./contracts/receipt.ts";
import { aboutKey, type CheckedEvidence } from "./evidence/check.ts";

/** What the verifier reports, and how it is printed. */
export const statement =
  "The arithmetic agrees. This does not show that any money exists or can be paid.";

export interface Verdict {
  subject: string;
  agrees: boolean;
  steps: Step[];
  difference: { step: string; name: string; detail: string } | null;
  market: { kind: string; speed: number } | null;
  /** Of an evidence file: what stands for it besides its own signature. */
  evidence?: CheckedEvidence;
}

/** What the server says cannot be counted, only what was signed. */
export interface Cosigned {
  configured: number;
  verified: number;
}

/** The result of checking all subjects. */
export interface Report {
  log: string[];
  verdicts: Verdict[];
  /** Null when no log was read. */
  witnesses: Cosigned | null;
}

/**
 * Characters that a terminal or a reader would obey instead of show: controls, and those that turn
 * the direction of text. Servers and receipts choose these texts.
 */
const obeyed = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** The text with such characters written as `\\u` and four digits. */
export const shown = (text: string): string =>
  text.replace(obeyed, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const write = (line: string) => console.log(shown(line));

export function print({ log, verdicts, witnesses }: Report): void {
  for (const line of log) write(`log      ${line}`);
  if (witnesses) writeWitnesses(witnesses);
  for (const verdict of verdicts) printVerdict(verdict);
}

function writeWitnesses({ configured, verified }: Cosigned): void {
  write(
    configured === 0
      ? "log      Outside witnesses: none checked. Name the ones you know with --witness."
      : `log      Outside witnesses: ${verified} of the ${configured} you named cosigned this checkpoint.`,
  );
}

function printVerdict({ subject, agrees, steps, difference, market, evidence }: Verdict): void {
  write("");
  write(subject);
  for (const { step, said } of steps) write(`${step.padEnd(10)} ${said}`);
  if (difference)
    write(`DIFFERS  at "${difference.step}": ${difference.name}. ${difference.detail}`);
  if (evidence) {
    writeWitnesses(evidence.witnesses);
    for (const line of aboutKey(evidence)) write(`key      ${line}`);
  }
  if (!agrees) return;
  if (market?.kind !== "live")
    write(`market   ${market?.kind}: whoever set it up could know the path.`);
  write(statement);
}
