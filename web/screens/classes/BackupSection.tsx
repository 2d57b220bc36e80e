import { useState } from "react";
import { parseClassCode } from "#core/invites/code.ts";
import { isPin } from "#core/pin/pin.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";
import { BackupStep } from "#web/features/session/BackupStep.tsx";
import { readStoredSeed } from "#web/features/session/practice/keyStorage.ts";
import { getUsedWallet } from "#web/features/session/walletStorage.ts";
import { type OwnClass, readJoinedCode, storeBackup } from "#web/screens/classes/joining.ts";
import { PinField } from "#web/screens/classes/PinField.tsx";
import { useAction } from "#web/screens/classes/useAction.ts";

/**
 * Offers a backup encrypted under code and PIN, and one on paper. A browser wallet needs neither.
 */
export function BackupSection({ state }: { state: OwnClass["backup"] }) {
  const t = useText();
  const [isPaper, setIsPaper] = useState(false);
  const seed = readStoredSeed();
  if (!seed || getUsedWallet()?.kind === "browser") return null;
  return (
    <Section title={t("class-room.backup")} kind="plain">
      <div className="flex flex-col gap-3">
        {state === "none" ? null : <p className="font-strong">{t(`class-room.backup.${state}`)}</p>}
        <p>{t("class-room.backup.text")}</p>
        <p className="text-small text-ink-soft">{t("class-room.backup.limit")}</p>
        <BackupForm />
        <Button block variant="quiet" onClick={() => setIsPaper(true)}>
          {t("class-room.backup.paper")}
        </Button>
      </div>
      <Sheet open={isPaper} onOpenChange={setIsPaper} title={t("class-room.backup.paper")}>
        <BackupStep seed={seed} onDone={() => setIsPaper(false)} />
      </Sheet>
    </Section>
  );
}

function BackupForm() {
  const t = useText();
  const { isBusy, failure, run } = useAction();
  const knownCode = parseClassCode(readJoinedCode() ?? "");
  const [text, setText] = useState("");
  const [pin, setPin] = useState("");
  const [wasTried, setWasTried] = useState(false);
  const code = knownCode ?? parseClassCode(text);
  const store = () => {
    setWasTried(true);
    if (code === null || !isPin(pin)) return;
    void run(async () => {
      await storeBackup(code, pin);
      toast(t("class-room.backup.done"));
      setPin("");
      setWasTried(false);
    });
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        store();
      }}
    >
      {knownCode === null ? (
        <Field
          label={t("class-room.code")}
          hint={t("class-room.code.hint")}
          error={wasTried && code === null ? t("class-room.code.form") : undefined}
        >
          <TextInput value={text} onChange={setText} autoComplete="off" maxLength={24} />
        </Field>
      ) : null}
      <PinField pin={pin} onChange={setPin} isTried={wasTried} />
      {failure ? <ErrorNote>{failure}</ErrorNote> : null}
      <Button type="submit" block variant="outline" busy={isBusy}>
        {t("class-room.backup.do")}
      </Button>
    </form>
  );
}
