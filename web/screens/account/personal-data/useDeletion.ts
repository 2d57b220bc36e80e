import { useEffect, useState } from "react";
import type { DeletionReceipt } from "#api/account.ts";
import type { InputOf } from "#api/call.ts";
import { ApiError } from "#api/client.ts";
import { deleteAccount, getDeletionReceipt } from "#api/routes/account.ts";
import { usePinAction } from "#web/features/pin/usePinAction.ts";
import { leaveSession } from "#web/features/session/sessionCache.ts";
import { signInAgain } from "#web/features/session/signInAgain.ts";
import { client } from "#web/lib/api/client.ts";
import { createUuidV7 } from "#web/lib/api/idempotencyKeys.ts";
import { expectSignOut } from "#web/lib/api/unauthorizedFetch.ts";

const refetchMs = 2_000;

/** The awaited step of a deletion: an answer of the server, or one that a wallet may never give. */
type DeletionWait = "nothing" | "server" | "wallet";

/**
 * Deletes the account. The receipt's id is made here beforehand, so that after a lost answer the
 * receipt is read by that id instead of the loss being taken for a failure; the session is left as
 * soon as the receipt is there. While a wallet is waited for, `abandon` ends the attempt: what that
 * wallet answers later deletes nothing.
 */
export function useDeletion(word: string) {
  const [receiptId] = useState(() =>
    createUuidV7(Date.now(), (bytes) => crypto.getRandomValues(bytes)),
  );
  const [receipt, setReceipt] = useState<DeletionReceipt | null>(null);
  const [waitingFor, setWaitingFor] = useState<DeletionWait>("nothing");
  const deleteOnce = (pin: { pin?: string }) =>
    // Not around the wait for a wallet: a session lost in the meantime has to be reported.
    expectSignOut(async () => {
      setReceipt(await send({ word, receipt_id: receiptId, ...pin }));
      leaveSession();
    });
  const { abandon, ...pinAction } = usePinAction(async (pin, isLatest) => {
    setWaitingFor("server");
    try {
      await deleteOnce(pin).catch(async (error: unknown) => {
        if (!(error instanceof ApiError) || error.error !== "account.sign_in_again") throw error;
        setWaitingFor("wallet");
        if (!(await signInAgain(isLatest))) throw error;
        if (!isLatest()) return;
        setWaitingFor("server");
        await deleteOnce(pin);
      });
    } finally {
      if (isLatest()) setWaitingFor("nothing");
    }
  });
  useFinish(receipt, setReceipt);
  return {
    ...pinAction,
    receipt,
    waiting: waitingFor,
    abandon: () => {
      abandon();
      setWaitingFor("nothing");
    },
  };
}

/** Sends the deletion; resolves with its receipt also when only the answer was lost. */
async function send(input: InputOf<typeof deleteAccount>): Promise<DeletionReceipt> {
  try {
    return (await client.call(deleteAccount, input)).data;
  } catch (error) {
    const receipt = isLost(error) ? await readReceipt(input.receipt_id) : null;
    if (!receipt) throw error;
    return receipt;
  }
}

/**
 * Returns true if it may have happened although the answer was lost; a retry then finds the session
 * gone.
 */
function isLost(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.error === "network.failed" || error.error === "session.required")
  );
}

async function readReceipt(id: string): Promise<DeletionReceipt | null> {
  try {
    return (await client.call(getDeletionReceipt, { receipt_id: id })).data;
  } catch {
    return null;
  }
}

/** Polls the receipt until the deletion is complete. */
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
