import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "#api/client.ts";
import { useText } from "#i18n/useText.ts";
import { toast } from "#ui/overlay/toast.ts";
import { getUnsavedSeed, isSeedStored } from "#web/features/session/practice/keyStorage.ts";
import {
  createPracticeSigner,
  type PreparedMessage,
  prepareMessage,
  type Signer,
  signAndEnter,
} from "#web/features/session/signInFlow.ts";
import { getWalletErrorCode } from "#web/features/session/walletError.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useLatestRun } from "#web/lib/useLatestRun.ts";

type Step =
  | { at: "choose" }
  | { at: "restore" }
  | { at: "review"; prepared: PreparedMessage }
  | { at: "backup"; seed: Uint8Array };

/** The wallet whose answer is awaited. */
type Kind = Signer["used"]["kind"];

/** The steps of a sign-in and the transitions between them. Each opening starts over. */
export function useSignInSteps({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText();
  const [step, setStep] = useState<Step>({ at: "choose" });
  const { busy, failure, attempt, clear } = useAttempt();
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) {
      setStep({ at: "choose" });
      clear();
    }
  }

  const review = (kind: Kind, signer: () => Promise<Signer>) =>
    attempt(kind, async (isLatest) => {
      const prepared = await prepareMessage(await signer());
      if (isLatest()) setStep({ at: "review", prepared });
    });
  const enter = async (prepared: PreparedMessage, isLatest: () => boolean) => {
    toast(await signAndEnter(prepared, isLatest));
    const seed = getUnsavedSeed();
    // The backup is shown now if the browser stores nothing, because the wallet is then lost with
    // the page, and to operators, because their wallet is the way into the console. Otherwise it is
    // offered with the first result.
    const isUrgent = !isSeedStored() || location.pathname.startsWith("/operator");
    if (prepared.signer.used.kind === "practice" && seed && isUrgent) {
      setStep({ at: "backup", seed });
    } else onClose();
  };
  /** Shows first what the practice wallet will sign. */
  const readFirst = (seed: Uint8Array) => review("practice", () => createPracticeSigner(seed));
  /**
   * Signs in with the practice wallet immediately: no confirmation is needed, and the button says
   * what it does.
   */
  const choosePracticeWallet = (seed: Uint8Array) =>
    attempt("practice", async (isLatest) =>
      enter(await prepareMessage(await createPracticeSigner(seed)), isLatest),
    );

  const sign = (prepared: PreparedMessage) =>
    attempt(prepared.signer.used.kind, (isLatest) => enter(prepared, isLatest));

  const goBack = () => {
    clear();
    setStep({ at: "choose" });
  };

  // The account or network changed during the review: prepare a new message for it.
  const onSignerChanged = useEffectEvent((signer: Signer) => {
    if (step.at !== "review" || step.prepared.signer !== signer) return;
    goBack();
    toast(t("sign-in.wallet.startAgain"));
  });
  const signer = step.at === "review" ? step.prepared.signer : null;
  useEffect(() => signer?.onChange(() => onSignerChanged(signer)), [signer]);

  const restore = () => {
    clear();
    setStep({ at: "restore" });
  };
  return {
    step,
    busy,
    failure,
    review,
    readFirst,
    practise: choosePracticeWallet,
    sign,
    restore,
    back: goBack,
  };
}

/**
 * Runs one attempt at a time and describes its failure in plain words. The server's message is also
 * shown as a toast. A wallet may never answer: the next attempt, or `clear`, abandons the running
 * one and ignores its late result.
 */
function useAttempt() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [busyKind, setBusyKind] = useState<Kind | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { begin, abandon } = useLatestRun();
  const attempt = async (kind: Kind, work: (wanted: () => boolean) => Promise<void>) => {
    const isLatest = begin();
    setBusyKind(kind);
    setFailure(null);
    try {
      await work(isLatest);
    } catch (error) {
      if (!isLatest()) return;
      if (error instanceof ApiError) {
        setFailure(errorMessage(error));
        toast(errorMessage(error));
      } else {
        setFailure(t(`sign-in.wallet.error.${getWalletErrorCode(error)}`));
      }
    } finally {
      if (isLatest()) setBusyKind(null);
    }
  };
  const clear = () => {
    abandon();
    setBusyKind(null);
    setFailure(null);
  };
  return { busy: busyKind, failure, attempt, clear };
}
