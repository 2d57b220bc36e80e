import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/form/Field.tsx";
import { inputClass } from "#ui/form/TextInput.tsx";
import { readWitnessKeys, writeWitnessKeys } from "#web/features/receipt/witnesses.ts";

/** The keys of outside witnesses that the reader knows; only their cosignatures are counted. */
export function WitnessKeys({ onChanged }: { onChanged: () => void }) {
  const t = useText();
  const [text, setText] = useState(() => readWitnessKeys().join("\n"));
  const [malformed, setMalformed] = useState<string | null>(null);
  const save = () => {
    const line = writeWitnessKeys(text);
    setMalformed(line);
    if (line === null) onChanged();
  };
  return (
    <div className="grid gap-3 px-4 pt-6">
      <Field
        label={t("verify.log.witnesses.keys")}
        hint={t("verify.log.witnesses.keys.hint")}
        error={malformed === null ? null : t("verify.log.witnesses.malformed", { line: malformed })}
      >
        <textarea
          aria-label={t("verify.log.witnesses.keys")}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setMalformed(null);
          }}
          rows={3}
          spellCheck={false}
          autoCapitalize="off"
          className={`${inputClass} py-3 font-mono text-small`}
        />
      </Field>
      <Button variant="outline" size="small" onClick={save}>
        {t("verify.log.witnesses.save")}
      </Button>
    </div>
  );
}
