import { useEffect, useState } from "react";
import type { DeletionReceipt } from "#api/account.ts";
import { ApiError } from "#api/client.ts";
import { deleteAccount, getDeletionReceipt } from "#api/routes/account.ts";
import { usePinned } from "#web/features/pin/usePinned.ts";
import { leaveSession } from "#web/features/session/sessionCache.ts";
import { signInAgain } from "#web/features/session/signInAgain.ts";
import { client } from "#web/lib/api/client.ts";
import { uuidV7 } from "#web/lib/api/idempotencyKeys.ts";
import { expectSignOut } from "#web/lib/api/unauthorizedFetch.ts";

const refetchMs = 2_000;

/**
 * Deletes the account. The receipt's id is made here beforehand, so that after a lost answer the
 * receipt is read by that id instead of the loss being taken for a failure; the session is left as
 * soon as the receipt is there.
 */
export function useDeletion(word: string) {
  const [receiptId] = useState(() => uuidV7(Date.now(), (bytes) => crypto.getRandomValues(bytes)));
  const [receipt, setReceipt] = useState<DeletionReceipt | null>(null);
  const [busy, setBusy] = useState(false);
  const take = (found: DeletionReceipt) => {
    setReceipt(found);
    leaveSession();
  };
  const pinned = usePinned(async (pin) => {
    setBusy(true);
    try {
      await expectSignOut(async () => take(await deleteOnce(word, receiptId, pin)));
    } finally {
      setBusy(false);
    }
  });
  useFinish(receipt, setReceipt);
  return { ...pinned, busy, receipt };
}

async function deleteOnce(
  word: string,
  receiptId: string,
  pin: { pin?: string },
): Promise<DeletionReceipt> {
  const send = async () =>
    (await client.call(deleteAccount, { word, receipt_id: receiptId, ...pin })).data;
  try {
    return await send().catch(async (failure: unknown) => {
      const wanted = failure instanceof ApiError && failure.error === "account.sign_in_again";
      if (!wanted || !(await signInAgain())) throw failure;
      return send();
    });
  } catch (failure) {
    const found = isLost(failure) ? await readReceipt(receiptId) : null;
    if (!found) throw failure;
    return found;
  }
}

/**
 * Whether it may have happened although the answer was lost; a retry then finds the session gone.
 */
function isLost(failure: unknown): boolean {
  return (
    failure instanceof ApiError &&
    (failure.error === "network.failed" || failure.error === "session.required")
  );
}

async function readReceipt(id: string): Promise<DeletionReceipt | null> {
  try {
    return (await client.call(getDeletionReceipt, { receipt_id: id })).data;
  } catch {
    return null;
  }
}

/** Polls the receipt until the deletion is finished. */
function useFinish(
  receipt: DeletionReceipt | null,
  setReceipt: (receipt: DeletionReceipt) => void,
): void {
  useEffect(() => {
    if (!receipt || receipt.finished_at_ms !== null) return;
    const timer = setTimeout(() => {
      void readReceipt(receipt.receipt_id).then((next) => setReceipt(next ?? { ...receipt }));
    }, refetchMs);
    return () => clearTimeout(timer);
  }, [receipt, setReceipt]);
}
