import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { BackupStep } from "#web/features/session/BackupStep.tsx";
import { getUnsavedSeed, readStoredSeed } from "#web/features/session/practice/keyStorage.ts";
import { endSession } from "#web/features/session/sessionCache.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Ends the session, after a warning if the only key of the wallet has no backup. */
export function SignOut() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [isBusy, setIsBusy] = useState(false);
  const [wasWarned, setWasWarned] = useState(false);
  const seed = readStoredSeed();
  const leave = async () => {
    setIsBusy(true);
    try {
      const message = await endSession();
      setWasWarned(false);
      // The page's changed text and its way back in are at the top.
      window.scrollTo(0, 0);
      toast(message);
    } catch (error) {
      toast(errorMessage(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        title={t("account.signOut.keeps")}
        busy={isBusy}
        onClick={() => (getUnsavedSeed() ? setWasWarned(true) : void leave())}
      >
        {t("account.signOut")}
      </Button>
      <Sheet
        open={wasWarned}
        onOpenChange={setWasWarned}
        title={t("account.signOut.unsaved")}
        description={t("account.signOut.unsaved.text")}
        actions={
          <Button block variant="danger" busy={isBusy} onClick={() => void leave()}>
            {t("account.signOut.anyway")}
          </Button>
        }
      >
        {seed ? (
          <BackupStep
            seed={seed}
            onDone={() => setWasWarned(false)}
            later={t("account.signOut.stay")}
          />
        ) : null}
      </Sheet>
    </>
  );
}
