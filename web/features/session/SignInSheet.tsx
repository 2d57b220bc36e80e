import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { BackupStep } from "#web/features/session/BackupStep.tsx";
import { ChooseStep } from "#web/features/session/ChooseStep.tsx";
import {
  isStoredSeedUnreadable,
  readStoredSeed,
  storeSeed,
} from "#web/features/session/practice/keyStorage.ts";
import { createWalletSeed } from "#web/features/session/practice/seed.ts";
import { RestoreStep } from "#web/features/session/RestoreStep.tsx";
import { ReviewActions, ReviewStep } from "#web/features/session/ReviewStep.tsx";
import { useSheets } from "#web/features/session/sheets.ts";
import { connectWallet } from "#web/features/session/signInFlow.ts";
import { useSignInSteps } from "#web/features/session/useSignInSteps.ts";

/**
 * The sign-in. The practice wallet is created and signs on the first sheet, which on request shows
 * beforehand what it signs. A browser wallet is chosen, its message is reviewed, and then signed.
 */
export default function SignInSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText();
  const { reason } = useSheets();
  const { step, busy, failure, review, readFirst, practise, sign, restore, back } = useSignInSteps({
    open,
    onClose,
  });
  /**
   * Returns the seed of this browser's practice wallet; creates and stores one if there is none.
   */
  const ownSeed = () => {
    const existingSeed = readStoredSeed();
    const seed = existingSeed ?? createWalletSeed();
    // If the browser stores nothing, the backup that follows immediately says so.
    if (!existingSeed) storeSeed(seed);
    return seed;
  };
  const note = failure ? <ErrorNote>{failure}</ErrorNote> : null;
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t(`sign-in.title.${step.at}`)}
      description={
        step.at === "choose" && reason !== "asked" ? t(`sign-in.reason.${reason}`) : undefined
      }
      actions={
        step.at === "review" ? (
          <ReviewActions
            prepared={step.prepared}
            busy={busy !== null}
            note={note}
            onSign={() => {
              // A message that expired during the review is prepared again.
              const { signer } = step.prepared;
              if (failure) void review(signer.used.kind, async () => signer);
              else void sign(step.prepared);
            }}
            isRetry={failure !== null}
            onBack={back}
          />
        ) : undefined
      }
    >
      {step.at === "choose" ? (
        <ChooseStep
          busy={busy}
          note={note}
          hasPractice={readStoredSeed() !== null}
          isUnreadable={isStoredSeedUnreadable()}
          onPractice={() => void practise(ownSeed())}
          onRead={() => void readFirst(ownSeed())}
          onRestore={restore}
          onWallet={(wallet) => void review("browser", () => connectWallet(wallet))}
        />
      ) : null}
      {step.at === "restore" ? (
        <RestoreStep
          busy={busy !== null}
          isReplacing={readStoredSeed() !== null}
          onSeed={(seed) => {
            if (!storeSeed(seed)) toast(t("sign-in.practice.notKept"));
            void practise(seed);
          }}
          onBack={back}
        />
      ) : null}
      {step.at === "review" ? <ReviewStep prepared={step.prepared} /> : null}
      {step.at === "backup" ? <BackupStep seed={step.seed} onDone={onClose} /> : null}
    </Sheet>
  );
}
