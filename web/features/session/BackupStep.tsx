import { useMemo, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { copyText } from "#ui/copy.ts";
import { toast } from "#ui/overlay/toast.ts";
import { writeBackup } from "#web/features/session/practice/backup.ts";
import { isSeedStored, markBackedUp } from "#web/features/session/practice/keyStorage.ts";
import { saveFile } from "#web/lib/saveFile.ts";

/** Shows the backup: the only way into this practice account from another browser. */
export function BackupStep({
  seed,
  onDone,
  later,
}: {
  seed: Uint8Array;
  onDone: () => void;
  /** The label of the button that leaves without a backup; "Later" unless given. */
  later?: string;
}) {
  const t = useText();
  const backup = useMemo(() => writeBackup(seed), [seed]);
  const [isSaved, setIsSaved] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      {isSeedStored() ? (
        <p className="text-small text-ink-soft">{t("sign-in.backup.why")}</p>
      ) : (
        <p role="alert">{t("sign-in.practice.notKept")}</p>
      )}
      <p
        className="rounded-dock bg-well p-4 font-mono text-small break-words select-all"
        translate="no"
      >
        {backup}
      </p>
      <p className="text-small text-ink-soft">{t("sign-in.backup.what")}</p>
      <div className="flex gap-2">
        <Button
          className="flex-1"
          variant="outline"
          onClick={() => {
            void copyText(backup).then((isCopied) => {
              if (isCopied) setIsSaved(true);
              toast(t(isCopied ? "ui.copy.done" : "ui.copy.failed"));
            });
          }}
        >
          {t("sign-in.backup.copy")}
        </Button>
        <Button
          className="flex-1"
          variant="outline"
          onClick={() => {
            const words = `${t("sign-in.backup.file")}\n\n${backup}\n`;
            saveFile("drydock-practice-wallet.txt", words, "text/plain;charset=utf-8");
            setIsSaved(true);
          }}
        >
          {t("sign-in.backup.download")}
        </Button>
      </div>
      {isSaved ? (
        <Button
          block
          onClick={() => {
            markBackedUp();
            onDone();
          }}
        >
          {t("sign-in.backup.done")}
        </Button>
      ) : (
        <Button block variant="quiet" onClick={onDone}>
          {later ?? t("sign-in.backup.later")}
        </Button>
      )}
    </div>
  );
}
