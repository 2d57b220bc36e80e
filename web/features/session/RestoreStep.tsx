import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { type BackupTextError, parseBackup } from "#web/features/session/practice/backup.ts";
import { markBackedUp } from "#web/features/session/practice/keyStorage.ts";

interface Props {
  busy: boolean;
  /** This browser already has a practice wallet, which would be replaced. */
  isReplacing: boolean;
  onSeed: (seed: Uint8Array) => void;
  onBack: () => void;
}

/** Restores a practice wallet from its backup. */
export function RestoreStep({ busy, isReplacing, onSeed, onBack }: Props) {
  const t = useText();
  const [text, setText] = useState("");
  const [textError, setTextError] = useState<BackupTextError | null>(null);
  const restore = () => {
    const result = parseBackup(text);
    if (!result.ok) return setTextError(result.error);
    markBackedUp();
    onSeed(result.seed);
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) restore();
      }}
    >
      <p className="text-small text-ink-soft">{t("sign-in.restore.text")}</p>
      <Field
        label={t("sign-in.restore.label")}
        error={textError ? t(`sign-in.restore.${textError}`) : undefined}
      >
        <TextInput
          value={text}
          onChange={(next) => {
            setTextError(null);
            setText(next);
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      {isReplacing ? (
        <p className="text-small text-warning">{t("sign-in.restore.replaces")}</p>
      ) : null}
      <Button type="submit" block busy={busy}>
        {t("sign-in.restore.do")}
      </Button>
      <Button block variant="quiet" disabled={busy} onClick={onBack}>
        {t("sign-in.review.other")}
      </Button>
    </form>
  );
}
