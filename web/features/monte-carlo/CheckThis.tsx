import type { ReactNode } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Fold } from "#ui/Fold.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { createRunSeed, seedLengthMax } from "./seed.ts";

interface CheckThisProps {
  seed: string;
  onSeed: (seed: string) => void;
  /** Saves everything that a second computation needs. */
  onSave: () => void;
  busy: boolean;
  /** The data read and the number of cases. */
  children: ReactNode;
}

/** Everything needed to repeat a run elsewhere: the seed, the data read, and a file with both. */
export function CheckThis({ seed, onSeed, onSave, busy, children }: CheckThisProps) {
  const t = useText();
  return (
    <Fold label={t("monte-carlo.check")}>
      <div className="flex flex-col gap-3 pb-2 text-small text-ink-soft">
        <p>{t("monte-carlo.check.text")}</p>
        {children}
        <Field label={t("monte-carlo.seed")}>
          <TextInput
            value={seed}
            onChange={onSeed}
            maxLength={seedLengthMax}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
          />
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="outline"
            size="small"
            busy={busy}
            onClick={() => onSeed(createRunSeed())}
          >
            {t("monte-carlo.seed.other")}
          </Button>
          <Button variant="outline" size="small" busy={busy} onClick={onSave}>
            {t("monte-carlo.save")}
          </Button>
        </div>
      </div>
    </Fold>
  );
}
