import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { endSession } from "#web/features/session/sessionCache.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

export function SignOut() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      toast(await endSession());
    } catch (failure) {
      toast(errorMessage(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="px-4 pt-8">
      <Button block variant="outline" busy={busy} onClick={() => void leave()}>
        {t("ucenter.signOut")}
      </Button>
      <p className="mt-2 text-center text-small text-ink-faint">{t("ucenter.signOut.keeps")}</p>
    </div>
  );
}
