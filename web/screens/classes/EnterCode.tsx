import { useEffect, useEffectEvent, useState } from "react";
import { findClassCode } from "#api/routes/classes.ts";
import { parseClassCode, printedCode } from "#core/invites/code.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { client } from "#web/lib/api/client.ts";
import type { FoundCode } from "#web/screens/classes/joining.ts";
import { useAction } from "#web/screens/classes/useAction.ts";

interface Props {
  /** From the address: it is looked up at once. */
  scanned: string | null;
  onFound: (found: FoundCode) => void;
}

/** Takes the code of a slip. */
export function EnterCode({ scanned, onFound }: Props) {
  const t = useText();
  const { busy, failure, run } = useAction();
  const [text, setText] = useState(scanned === null ? "" : printedCode(scanned));
  const [fault, setFault] = useState(false);
  const find = (typed: string) => {
    const code = parseClassCode(typed);
    if (code === null) return setFault(true);
    void run(async () => onFound({ ...(await client.call(findClassCode, { code })).data, code }));
  };
  const findScanned = useEffectEvent(() => {
    if (scanned !== null) find(scanned);
  });
  useEffect(() => findScanned(), []);
  return (
    <form
      className="flex flex-col gap-4 px-4 pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        find(text);
      }}
    >
      <p>{t("class-room.enter.text")}</p>
      <Field
        label={t("class-room.code")}
        hint={t("class-room.code.hint")}
        error={fault ? t("class-room.code.form") : undefined}
      >
        <TextInput
          value={text}
          onChange={(next) => {
            setFault(false);
            setText(next);
          }}
          maxLength={24}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          translate="no"
          className="font-mono tracking-wide"
        />
      </Field>
      {failure ? <ErrorNote>{failure}</ErrorNote> : null}
      <Button type="submit" block busy={busy}>
        {t("class-room.code.next")}
      </Button>
    </form>
  );
}
