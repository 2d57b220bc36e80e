import { parseAcknowledgement } from "#core/transparency-log/acknowledgement.ts";
import type { CheckStep } from "#web/features/receipt/check.ts";
import { followLog } from "#web/features/receipt/checkpointStore.ts";
import { loadCheckDeps } from "#web/features/receipt/loadCheckDeps.ts";
import { LogReadError } from "#web/features/receipt/logReader.ts";
import {
  readAcknowledgements,
  readCertificate,
  type StoredAcknowledgement,
  writeAcknowledgement,
} from "#web/lib/acknowledgements.ts";
import {
  type AcknowledgedLog,
  checkKeptAcknowledgement,
  compareReceipt,
  getReceiptId,
} from "./checkKeptAcknowledgement.ts";

async function readHashes(leaf: number): Promise<Uint8Array> {
  const path = `orders/${leaf}`;
  const response = await fetch(`/log/${path}`).catch(() => null);
  if (!response?.ok) throw new LogReadError("log_unreachable", path);
  return new Uint8Array(await response.arrayBuffer());
}

/** The current log; null when it cannot be opened, which says nothing about a promise. */
async function openPromiseLog(): Promise<AcknowledgedLog | null> {
  const { reader, servedLog, store, verify, nowMs } = await loadCheckDeps();
  const vkeys = [...new Set([...servedLog.vkeys, ...(store.read()?.vkeys ?? [])])];
  const result = await followLog(reader, servedLog, store, verify, nowMs);
  return result.ok ? { view: result.view, vkeys, verify, hashes: readHashes } : null;
}

/** Compares every open promise with the log, and stores what was found. */
export async function compareOpenAcknowledgements(): Promise<void> {
  const open = readAcknowledgements().filter(({ state }) => state === "open");
  const log = open.length > 0 ? await openPromiseLog() : null;
  if (!log) return;
  for (const acknowledgement of open) await compareOne(acknowledgement, log);
}

async function compareOne(
  acknowledgement: StoredAcknowledgement,
  log: AcknowledgedLog,
): Promise<StoredAcknowledgement> {
  const { kept: keptAcknowledgement } = acknowledgement;
  // The network may have failed when the promise was given.
  const certificate =
    keptAcknowledgement && (keptAcknowledgement.certificate ?? (await readCertificate()));
  // A promise stored by an older version has no time.
  const storedCall = keptAcknowledgement && {
    ...keptAcknowledgement.sent,
    at_ms: keptAcknowledgement.sent.at_ms ?? null,
  };
  const acknowledgementState = await checkKeptAcknowledgement(
    keptAcknowledgement && { ...keptAcknowledgement, certificate, sent: storedCall },
    log,
  );
  const next: StoredAcknowledgement = {
    ...acknowledgement,
    kept: keptAcknowledgement && { ...keptAcknowledgement, certificate },
    state: acknowledgementState.state,
    problem: acknowledgementState.state === "broken" ? acknowledgementState.problem : null,
  };
  if (acknowledgementState.state !== "open" || certificate !== keptAcknowledgement?.certificate)
    writeAcknowledgement(next);
  return next;
}

/**
 * Compares the promise that answered the call behind a receipt with the log and with the receipt;
 * null when this browser stores none.
 */
export async function compareAcknowledgement(receipt: unknown): Promise<CheckStep | null> {
  const id = getReceiptId(receipt);
  const matching = readAcknowledgements().flatMap((acknowledgement) => {
    const result =
      acknowledgement.kept && parseAcknowledgement(acknowledgement.kept.acknowledgement.promise);
    return result?.ok && result.value.id === id ? [{ acknowledgement, stated: result.value }] : [];
  });
  const [first] = matching;
  const log = first ? await openPromiseLog() : null;
  if (!first || !log) return null;
  const comparison = await compareOne(first.acknowledgement, log);
  const mismatch = comparison.problem ?? compareReceipt(first.stated, receipt);
  const state = mismatch === null ? "kept" : "broken";
  writeAcknowledgement({ ...comparison, state, problem: mismatch });
  const { key, tree, accepted_at_ms, due_at_ms, hash } = first.stated;
  const sent_at_ms = comparison.sent.at_ms ?? null;
  const inputs = { key, sent_at_ms, accepted_at_ms, due_at_ms, hash, tree_size: tree.size };
  return { step: "promise", ok: mismatch === null, mismatch, inputs };
}
