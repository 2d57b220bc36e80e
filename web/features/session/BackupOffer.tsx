import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { BackupStep } from "#web/features/session/BackupStep.tsx";
import { getUnsavedSeed } from "#web/features/session/practice/keyStorage.ts";

/**
 * Offers the backup once there is something to lose: beside a result, not before the person owns
 * anything. Renders nothing once the backup was saved, or for a browser wallet.
 */
export default function BackupOffer() {
  const t = useText();
  const [open, setOpen] = useState(false);
  const seed = getUnsavedSeed();
  if (!seed) return null;
  return (
    <div className="border-t border-line pt-2 text-small text-ink-soft">
      <p>{t("sign-in.backup.offer")}</p>
      <Button variant="quiet" size="small" className="-ml-3.5" onClick={() => setOpen(true)}>
        {t("sign-in.backup.do")}
      </Button>
      <Sheet open={open} onOpenChange={setOpen} title={t("sign-in.title.backup")}>
        <BackupStep seed={seed} onDone={() => setOpen(false)} />
      </Sheet>
    </div>
  );
}
