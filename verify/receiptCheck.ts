import type { Comparison } from "./comparison.ts";
import { checkReceipt, type LeafReader, type Step } from "./contracts/receipt.ts";
import type { Receipt } from "./contracts/receiptSchema.ts";
import { checkEvidence } from "./evidence/check.ts";
import { checkPoolOrder } from "./hosting/hosting.ts";
import { checkMarkReceipt } from "./hosting/mark.ts";
import { checkTradeReceipt } from "./hosting/trade.ts";
import { MismatchError } from "./log/bytes.ts";
import type { VerifierKey } from "./log/note.ts";
import type { MixedSeed } from "./log/seed.ts";
import { checkLeaseReceipt } from "./mining/mining.ts";
import { checkActReceipt, checkPublicationReceipt } from "./operator/receipts.ts";
import { checkJournalReceipt } from "./records/journal.ts";
import type { JournalReceipt } from "./records/journalSchema.ts";
import type { CheckReport } from "./report.ts";

/** The check of one receipt, of any format. */

export const isJournal = (value: unknown): value is JournalReceipt =>
  (value as { format?: unknown } | null)?.format === "drydock.receipt.journal/1";

/** Runs a further check on a receipt that agrees. */
export async function withStep(
  report: CheckReport,
  step: string,
  check: () => Promise<string | null>,
): Promise<CheckReport> {
  if (!report.agrees) return report;
  try {
    const lines = await check();
    return lines === null
      ? report
      : { ...report, steps: [...report.steps, { step, message: lines }] };
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    return { ...reportMismatch(report.subject, error), market: report.market };
  }
}

/** The check for each format. */
const checks: Record<
  string,
  (
    value: unknown,
    leaf: LeafReader,
    size: number,
  ) => Promise<{
    receipt: Pick<Receipt, "log" | "market">;
    steps: Step[];
    seed?: MixedSeed | null;
  }>
> = {
  "drydock.receipt.contract/1": checkReceipt,
  "drydock.receipt.journal/1": checkJournalReceipt,
  "drydock.receipt.lease/1": checkLeaseReceipt,
  "drydock.receipt.hosting/1": checkPoolOrder,
  "drydock.receipt.trade/1": checkTradeReceipt,
  "drydock.receipt.mark/1": checkMarkReceipt,
  "drydock.receipt.act/1": checkActReceipt,
  "drydock.receipt.publication/1": checkPublicationReceipt,
};

/**
 * Selects the check by format; an unknown format falls to the first one, whose form check refuses
 * it.
 */
function getCheck(value: unknown) {
  const format = (value as { format?: unknown } | null)?.format;
  return (
    (typeof format === "string" && Object.hasOwn(checks, format) && checks[format]) || checkReceipt
  );
}

/** Checks one receipt against leaves of a log of that origin and size. */
export async function checkOne(
  subject: string,
  value: unknown,
  { origin, size }: { origin: string; size: number },
  leaf: (index: number) => Promise<Uint8Array>,
): Promise<CheckReport> {
  try {
    const { receipt, steps, ...seed } = await getCheck(value)(value, leaf, size);
    if (receipt.log.origin !== origin)
      throw new MismatchError("signature", "origin_differs", receipt.log.origin);
    return {
      subject,
      agrees: true,
      steps,
      difference: null,
      market: receipt.market,
      ...seed,
      last_leaf: 0,
    };
  } catch (error) {
    return reportMismatch(subject, error);
  }
}

/** Collects the leaves that a check reads. */
export function collectLeaves(leaf: LeafReader): {
  leaf: LeafReader;
  leaves: Map<number, Uint8Array>;
} {
  const leaves = new Map<number, Uint8Array>();
  const readLeaf = async (index: number) => {
    const entry = await leaf(index);
    leaves.set(index, entry);
    return entry;
  };
  return { leaf: readLeaf, leaves };
}

interface EvidenceContext {
  /** The file that stores known logs. */
  memory: string;
  keys: readonly string[];
  witnessKeys: readonly VerifierKey[];
  comparison: Comparison;
}

/** Checks an evidence file and the receipt in it, without the instance. */
export async function checkEvidenceFile(
  subject: string,
  value: unknown,
  { comparison, ...context }: EvidenceContext,
): Promise<CheckReport> {
  try {
    const { opened, steps, evidence } = checkEvidence(value, {
      ...context,
      storeFile: context.memory,
    });
    const { receipt, found, checkpoint } = opened;
    const { leaf, leaves } = collectLeaves(opened.leaf);
    const report = await checkOne(subject, receipt, checkpoint, leaf);
    if (!report.agrees) return { ...report, evidence };
    if (found)
      throw new MismatchError(
        "found",
        "finding_differs",
        `who saved it found ${found.difference} at ${found.step}, and it agrees`,
      );
    const fullReport = { ...report, steps: [...steps, ...report.steps], evidence };
    const isKnown = evidence.key === "known";
    const log = { ...evidence, known: isKnown, stored: isKnown };
    return await withStep(fullReport, "compared", () => comparison.compare(log, receipt, leaves));
  } catch (error) {
    return reportMismatch(subject, error);
  }
}

/** The report on a receipt that differs; rethrows any error but a MismatchError. */
export function reportMismatch(subject: string, error: unknown): CheckReport {
  if (!(error instanceof MismatchError)) throw error;
  const difference = { step: error.step, name: error.difference, detail: error.detail };
  return { subject, agrees: false, steps: [], difference, market: null, last_leaf: 0 };
}
