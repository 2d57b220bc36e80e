import { useState } from "react";
import { isPin } from "#core/pin/pin.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";
import { getUnsavedSeed } from "#web/features/session/practice/keyStorage.ts";
import { type ClassCodeResult, restoreBackup } from "#web/screens/classes/joining.ts";
import { PinField } from "#web/screens/classes/PinField.tsx";
import { useAction } from "#web/screens/classes/useAction.ts";

interface Props {
  classCode: ClassCodeResult;
  onDone: () => void;
  onOther: () => void;
}

/**
 * A used code admits no one else; the person who joined with it restores their wallet with the PIN.
 */
export function UsedCode({ classCode, onDone, onOther }: Props) {
  const t = useText();
  const { isBusy, failure, run } = useAction();
  const [pin, setPin] = useState("");
  const [wasTried, setWasTried] = useState(false);
  const restore = () => {
    setWasTried(true);
    if (!isPin(pin)) return;
    void run(async () => {
      await restoreBackup(classCode.code, pin);
      toast(t("class-room.join.done"));
      onDone();
    });
  };
  return (
    <Section title={t("class-room.used.title")} kind="plain">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          restore();
        }}
      >
        <p>{t(classCode.has_backup ? "class-room.used.text" : "class-room.used.none")}</p>
        {classCode.has_backup ? (
          <>
            <PinField pin={pin} onChange={setPin} isTried={wasTried} />
            {getUnsavedSeed() ? (
              <p className="text-small text-warning">{t("class-room.restore.replaces")}</p>
            ) : null}
            {failure ? <ErrorNote>{failure}</ErrorNote> : null}
            <Button type="submit" block busy={isBusy}>
              {t("class-room.restore")}
            </Button>
          </>
        ) : null}
        <Button block variant="quiet" disabled={isBusy} onClick={onOther}>
          {t("class-room.code.other")}
        </Button>
      </form>
    </Section>
  );
}
