import { useState } from "react";
import { announce } from "#api/routes/operator/classes.ts";
import { hourMs } from "#core/money/time.ts";
import { type PostLanguage, postLanguages, textMax } from "#core/publishing/bodies.ts";
import { localeNames } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { useFieldLink } from "#ui/form/fieldContext.ts";
import { Segmented } from "#ui/form/Segmented.tsx";
import { inputClass, TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useSettings } from "#web/lib/settings.ts";

const hours = [1, 3, 24, 168] as const;

/**
 * A notice to everyone, immediately, in one language. The publishing page has more options and can
 * unpublish it.
 */
export function AnnounceSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { type, language, title, words, lasts, isBusy, error, submit } = useAnnouncement(onClose);
  return (
    <Sheet
      open={isOpen}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t("classes.announce")}
      actions={
        <>
          {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
          <Button block busy={isBusy} onClick={submit}>
            {t("classes.announce.do")}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="text-small text-ink-soft">{t("classes.announce.lead")}</p>
        <Segmented
          label={t("classes.announce.type")}
          value={type.value}
          onChange={type.set}
          options={(["bar", "dialog"] as const).map((value) => ({
            value,
            label: t(`classes.announce.${value}`),
          }))}
        />
        <Field label={t("console.language")}>
          <Choice
            value={language.value}
            onChange={(value) => language.set(value as PostLanguage)}
            options={postLanguages.map((language) => [language, localeNames[language]])}
          />
        </Field>
        {type.value === "dialog" ? (
          <Field label={t("classes.announce.heading")} error={title.fault}>
            <TextInput value={title.value} onChange={title.set} maxLength={textMax.noticeTitle} />
          </Field>
        ) : null}
        <Field
          label={t("classes.announce.text")}
          aside={`${words.value.length} / ${textMax.noticeText}`}
          error={words.fault}
        >
          <TextInput value={words.value} onChange={words.set} maxLength={textMax.noticeText} />
        </Field>
        <Field label={t("classes.announce.lasts")}>
          <Choice
            value={String(lasts.value)}
            onChange={(value) => lasts.set(Number(value))}
            options={hours.map((hour) => [
              String(hour),
              t("classes.announce.hours", { hours: hour }),
            ])}
          />
        </Field>
      </form>
    </Sheet>
  );
}

/** The fields of an announcement, with their errors after the first attempt. */
function useAnnouncement(onClose: () => void) {
  const t = useText();
  const settings = useSettings();
  const { send, isBusy, error } = useOperatorMutation(announce);
  const [id, setId] = useState(() => crypto.randomUUID());
  const [type, setType] = useState<"bar" | "dialog">("bar");
  const [language, setLanguage] = useState<PostLanguage>(settings.language);
  const [title, setTitle] = useState("");
  const [words, setWords] = useState("");
  const [lasts, setLasts] = useState(3);
  const [untilMs, setUntilMs] = useState<number | null>(null);
  const [wasTried, setWasTried] = useState(false);
  const faults = {
    title: type === "dialog" && title.trim() === "" ? t("classes.announce.titleForm") : undefined,
    words: words.trim() === "" ? t("classes.announce.textForm") : undefined,
  };
  const publish = async () => {
    setWasTried(true);
    if (isBusy || faults.title || faults.words) return;
    // Kept for a retry: the same request keeps the same end time, and so the same idempotency key.
    const until_ms = untilMs ?? Date.now() + lasts * hourMs;
    setUntilMs(until_ms);
    await send({ id, type, language, title: title.trim(), text: words.trim(), until_ms });
    toast(t("classes.announce.done"));
    setId(crypto.randomUUID());
    setTitle("");
    setWords("");
    setUntilMs(null);
    setWasTried(false);
    onClose();
  };
  const submit = () => void publish().catch(() => undefined);
  const last = (value: number) => {
    setLasts(value);
    setUntilMs(null);
  };
  return {
    type: { value: type, set: setType },
    language: { value: language, set: setLanguage },
    title: { value: title, set: setTitle, fault: wasTried ? faults.title : undefined },
    words: { value: words, set: setWords, fault: wasTried ? faults.words : undefined },
    lasts: { value: lasts, set: last },
    isBusy,
    error,
    submit,
  };
}

interface ChoiceProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, label: string])[];
}

function Choice({ value, onChange, options }: ChoiceProps) {
  const link = useFieldLink();
  return (
    <select
      {...link}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className={inputClass}
    >
      {options.map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}
