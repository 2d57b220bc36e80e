import { readFileSync } from "node:fs";
import { concatBytes, equalBytes, hexToBytes } from "#core/transparency-log/bytes.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { checkKeptAcknowledgement } from "#web/features/receipt/acknowledgement/checkKeptAcknowledgement.ts";
import {
  createStep,
  type LeafSource,
  parseReceipt,
  readLeaves,
  recompute,
  runCheck,
} from "#web/features/receipt/check.ts";
import { verifyEd25519 } from "#web/features/receipt/ed25519.ts";
import { findReceiptKind, type ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { NotInLogError } from "#web/features/receipt/logView.ts";
import { checkReceipt } from "../../verify/contracts/receipt.ts";
import { checkPoolOrder } from "../../verify/hosting/hosting.ts";
import { checkMarkReceipt } from "../../verify/hosting/mark.ts";
import { checkTradeReceipt } from "../../verify/hosting/trade.ts";
import { checkAcknowledgement } from "../../verify/log/acknowledgement.ts";
import { MismatchError } from "../../verify/log/bytes.ts";
import { checkLeaseReceipt } from "../../verify/mining/mining.ts";
import { checkActReceipt, checkPublicationReceipt } from "../../verify/operator/receipts.ts";
import { checkJournalReceipt } from "../../verify/records/journal.ts";

/** The step at which a verifier refuses, and the difference it names; null if all agrees. */
export type NamedMismatch = { step: string; difference: string } | null;

/** A receipt or promise, and its check by the code of each verifier. */
export interface Subject {
  name: string;
  value: unknown;
  /** Checks it as `npm run verify` does. */
  checkByCommandLine: (value: unknown) => Promise<NamedMismatch>;
  /** Checks it as the app does. */
  checkByBrowser: (value: unknown) => Promise<NamedMismatch>;
}

type LeafReader = (index: number) => Promise<Uint8Array>;

export const readVectors = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../docs/formats/vectors/${name}.json`, import.meta.url), "utf8"),
  );

/** The mismatch that the command line's code reports; rejects with any other error of it. */
async function getMismatch(run: () => Promise<unknown>): Promise<NamedMismatch> {
  try {
    await run();
    return null;
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    return { step: error.step, difference: error.difference };
  }
}

const checksByFormat: Record<
  string,
  (value: unknown, leaf: LeafReader, size: number) => Promise<unknown>
> = {
  "drydock.receipt.contract/1": checkReceipt,
  "drydock.receipt.hosting/1": checkPoolOrder,
  "drydock.receipt.trade/1": checkTradeReceipt,
  "drydock.receipt.mark/1": checkMarkReceipt,
  "drydock.receipt.lease/1": checkLeaseReceipt,
  "drydock.receipt.journal/1": checkJournalReceipt,
  "drydock.receipt.act/1": checkActReceipt,
  "drydock.receipt.publication/1": checkPublicationReceipt,
};

/** A receipt with the proven leaves of its log: the checks from the leaves on. */
export function createReceiptSubject(
  name: string,
  value: unknown,
  hex: readonly string[],
): Subject {
  const log = hex.map(hexToBytes);
  const { format } = value as { format: string };
  const check = checksByFormat[format];
  const kind = findReceiptKind(value);
  if (!check || !kind) throw new Error(`no check of ${format}`);
  const leaf: LeafReader = async (index) => {
    const entry = log[index];
    if (!entry) throw new MismatchError("leaves", "leaf_missing", String(index));
    return entry;
  };
  const source: LeafSource = {
    size: log.length,
    entries: async (indexes) =>
      new Map(
        [...indexes].map((index) => {
          const entry = log[index];
          if (!entry) throw new NotInLogError(index);
          return [index, entry] as const;
        }),
      ),
  };
  return {
    name,
    value,
    checkByCommandLine: (value) => getMismatch(() => check(value, leaf, log.length)),
    checkByBrowser: async (value) => {
      const { ok, steps } = await runCheck<ReceiptDetail>(
        () => {},
        async (result, add) => {
          parseReceipt(kind, value, add);
          const leaves = await readLeaves(source, kind, value).catch((error: unknown) => {
            if (!(error instanceof NotInLogError)) throw error;
            add(createStep("leaves", "leaf_missing", { leaf: error.leaf }));
            return new Map<number, Uint8Array>();
          });
          const { size } = source;
          await recompute(kind, value, { leaves, size, verify: verifyEd25519 }, result, add);
        },
      );
      const failedStep = steps.find((step) => !step.ok);
      if (ok !== (failedStep === undefined)) throw new Error("the steps and their sum differ");
      return failedStep ? { step: failedStep.step, difference: String(failedStep.mismatch) } : null;
    },
  };
}

interface Promises {
  origin: string;
  vkey: string;
  entries: string[];
  hashes: Record<number, string[]>;
}

/** A kept acknowledgement with the whole log that it is compared with. */
function promiseSubject(name: string, value: unknown, vectors: Promises): Subject {
  const { origin, vkey } = vectors;
  const log = vectors.entries.map(hexToBytes);
  const leaves = log.map(leafHash);
  const size = log.length;
  const hashes = async (leaf: number) =>
    concatBytes(...(vectors.hashes[leaf] ?? []).map(hexToBytes));
  const continues = async (older: { size: number; root: Uint8Array }) =>
    older.size <= size && equalBytes(treeRoot(leaves.slice(0, older.size)), older.root);
  const leaf: LeafReader = async (index) => {
    const entry = log[index];
    if (!entry) throw new MismatchError("leaves", "leaf_missing", String(index));
    return entry;
  };
  return {
    name,
    value,
    checkByCommandLine: (value) =>
      getMismatch(() =>
        checkAcknowledgement(value, {
          origin,
          size,
          vkeys: [vkey],
          leaf,
          continues: async (older) => {
            if (!(await continues(older))) throw new MismatchError("memory", "log_changed");
          },
          hashes,
        }),
      ),
    checkByBrowser: async (value) => {
      const state = await checkKeptAcknowledgement(value, {
        view: {
          checkpoint: { origin, size, root: treeRoot(leaves) },
          entries: async (indexes) =>
            new Map([...indexes].map((index) => [index, log[index]!] as const)),
          continues,
        },
        vkeys: [vkey],
        verify: verifyEd25519,
        hashes,
      });
      return state.state === "broken" ? { step: state.step, difference: state.problem } : null;
    },
  };
}

interface OtherPool {
  name: string;
  leaves: string[];
  receipts: { trades: unknown[]; marks: unknown[] };
}

/** Every receipt and every promise of the vectors that agrees. */
export function listSubjects(): Subject[] {
  const [contracts, hosting, mining] = ["receipt", "hosting", "mining"].map(readVectors);
  const [journals, audit, promises] = ["journal", "audit", "acknowledgement"].map(readVectors);
  const toSubjects = (name: string, receipts: unknown[], log: string[]) =>
    receipts.map((receipt, index) => createReceiptSubject(`${name} ${index}`, receipt, log));
  type Moved = { keep: number; append: string[]; receipt: { journal: { kind: string } } };
  const toMovedSubjects = (name: string, receipts: Moved[], log: string[]) =>
    receipts.map(({ keep, append, receipt }) =>
      createReceiptSubject(`journal of ${name}, ${receipt.journal.kind}`, receipt, [
        ...log.slice(0, keep),
        ...append,
      ]),
    );
  const { orders, trades, marks } = hosting.receipts;
  return [
    ...toSubjects("contract", contracts.receipts, contracts.entries),
    ...(contracts.others as { name: string; entries: string[]; receipt: unknown }[]).map(
      ({ name, entries, receipt }) => createReceiptSubject(`contract, ${name}`, receipt, entries),
    ),
    ...toSubjects("pool order", orders, hosting.leaves),
    ...toSubjects("trade", trades, hosting.leaves),
    ...toSubjects("mark", marks.slice(0, 3), hosting.leaves),
    ...(hosting.others as OtherPool[]).flatMap(({ name, leaves, receipts: poolReceipts }) => [
      ...toSubjects(`trade of ${name}`, poolReceipts.trades, leaves),
      ...toSubjects(`mark of ${name}`, poolReceipts.marks.slice(-2), leaves),
    ]),
    ...toSubjects("lease", mining.receipts, mining.entries),
    ...toSubjects("journal", journals.receipts, journals.entries),
    ...toMovedSubjects("contracts", contracts.journals.receipts, contracts.entries),
    ...toMovedSubjects("pools", hosting.journals.receipts, hosting.leaves),
    ...toMovedSubjects("leases", mining.journals.receipts, mining.entries),
    ...(audit.receipts as { name: string; receipt: unknown }[]).map(({ name, receipt }) =>
      createReceiptSubject(`audit, ${name}`, receipt, audit.entries),
    ),
    ...(promises.kept as { name: string; kept: unknown }[]).map(({ name, kept }) =>
      promiseSubject(`promise, ${name}`, kept, promises),
    ),
  ];
}
