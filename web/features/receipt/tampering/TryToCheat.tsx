import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/form/Field.tsx";
import { inputClass, TextInput } from "#ui/form/TextInput.tsx";
import { Section } from "#ui/Section.tsx";
import { AlteredCopy } from "#web/features/receipt/tampering/AlteredCopy.tsx";
import {
  type Alterable,
  formatValue,
  parseText,
} from "#web/features/receipt/tampering/alterable.ts";
import type { CheckedCopy, Subject } from "#web/features/receipt/tampering/alteredCheck.ts";
import { useSubject } from "#web/features/receipt/tampering/useSubject.ts";
import { useValueTexts } from "#web/features/receipt/tampering/useValueTexts.ts";
import { useLatestRun } from "#web/lib/useLatestRun.ts";

interface Props {
  receipt: unknown;
  /** The check of the receipt itself, which agreed. */
  result: CheckedCopy;
}

/**
 * Lets a person falsify a value in a copy of a receipt and see which check refuses the copy. The
 * copy is in memory only: it has no buttons to save or show it elsewhere.
 */
export default function TryToCheat({ receipt, result }: Props) {
  const t = useText();
  const subjectWithAlterables = useSubject(receipt, result);
  if (!subjectWithAlterables || subjectWithAlterables.alterables.length === 0) return null;
  return (
    <Section title={t("altered-copy.title")} note={t("altered-copy.note")} kind="plain">
      <Falsify {...subjectWithAlterables} honest={result} />
    </Section>
  );
}

interface FalsifyProps {
  subject: Subject;
  alterables: readonly Alterable[];
  honest: CheckedCopy;
}

/** A value that was falsified, and what the check of the copy found. */
interface TriedAlteration {
  alterable: Alterable;
  value: string | number;
  checked: CheckedCopy;
}

function Falsify({ subject, alterables, honest }: FalsifyProps) {
  const t = useText();
  const { label, value: show } = useValueTexts();
  const [position, setPosition] = useState(0);
  const alterable = alterables[position]!;
  const { format: form, target, value } = alterable;
  const { typedText, type, error, isBusy, tried, check, undo } = useFalseValue(subject, alterable);
  const inLog = target.in !== "receipt";
  return (
    <div className="grid gap-5">
      <Field label={t("altered-copy.what")}>
        <select
          aria-label={t("altered-copy.what")}
          value={position}
          onChange={(event) => {
            const next = Number(event.target.value);
            setPosition(next);
            undo(alterables[next]);
          }}
          className={inputClass}
        >
          {alterables.map((alterable, index) => (
            <option key={JSON.stringify(alterable.target)} value={index}>
              {label(alterable.label)}
            </option>
          ))}
        </select>
      </Field>
      <Field
        label={t("altered-copy.value")}
        hint={t(inLog ? "altered-copy.true.log" : "altered-copy.true", {
          value: show(form, value),
        })}
        error={error}
      >
        {form.is === "choice" ? (
          <select
            aria-label={t("altered-copy.value")}
            value={typedText}
            onChange={(event) => type(event.target.value)}
            className={inputClass}
          >
            {form.options.map((option) => (
              <option key={option.value} value={option.value}>
                {label(option.label)}
              </option>
            ))}
          </select>
        ) : (
          <TextInput
            value={typedText}
            inputMode={form.is === "decimal" || form.is === "number" ? "decimal" : "text"}
            autoComplete="off"
            spellCheck={false}
            onChange={type}
          />
        )}
      </Field>
      <Button block variant="outline" busy={isBusy} onClick={() => void check()}>
        {t("altered-copy.do")}
      </Button>
      <div aria-live="polite">
        {tried ? (
          <AlteredCopy
            alterable={tried.alterable}
            value={tried.value}
            honest={honest}
            checked={tried.checked}
            onUndo={() => undo(alterable)}
          />
        ) : null}
      </div>
    </div>
  );
}

/** The false value as typed, and the copy that has it, which exists until the next change. */
function useFalseValue(subject: Subject, alterable: Alterable) {
  const t = useText();
  const { format, target, value } = alterable;
  const [typedText, setTypedText] = useState(() => formatValue(format, alterable.falseValue));
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [triedAlteration, setTriedAlteration] = useState<TriedAlteration | null>(null);
  const { begin, abandon } = useLatestRun();
  const type = (text: string) => {
    abandon();
    setIsBusy(false);
    setTypedText(text);
    setError(null);
    setTriedAlteration(null);
  };
  const check = async () => {
    const text = parseText(format, typedText);
    const malformed = t("altered-copy.malformed", { example: formatValue(format, value) });
    if (text === null) setError(malformed);
    else if (text === value) setError(t("altered-copy.same"));
    else {
      const isCurrent = begin();
      setIsBusy(true);
      try {
        const copyResult = await subject.check(target, text);
        if (isCurrent()) setTriedAlteration({ alterable, value: text, checked: copyResult });
      } catch {
        // A leaf cannot encode it, such as a price of zero.
        if (isCurrent()) setError(malformed);
      } finally {
        if (isCurrent()) setIsBusy(false);
      }
    }
  };
  const undo = (next: Alterable | undefined) => {
    if (next) type(formatValue(next.format, next.falseValue));
  };
  return { typedText, type, error, isBusy, tried: triedAlteration, check, undo };
}
