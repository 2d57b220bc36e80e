import { type ReactNode, useState } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { getZoneName, parseTimeInput, toTimeInput } from "#operator/publishing/forms/labels.ts";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";

interface TimeFieldProps {
  label: string;
  value: number | null;
  onChange: (ms: number | null) => void;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A date and time in this browser's time zone; its label shows the same moment in UTC. */
export function TimeField({ label, value, onChange, hint, error }: TimeFieldProps) {
  const { formatDate } = useIntl();
  const [typedText, setTypedText] = useState(() => toTimeInput(value));
  const utc =
    value === null
      ? null
      : `${formatDate(value, { dateStyle: "short", timeStyle: "short", timeZone: "UTC" })} UTC`;
  return (
    <Field label={label} hint={hint} error={error} aside={utc}>
      <TextInput
        type="datetime-local"
        value={typedText}
        onChange={(text) => {
          setTypedText(text);
          onChange(parseTimeInput(text));
        }}
      />
    </Field>
  );
}

/** Names the time zone of the inputs. */
export function ZoneNote() {
  const t = useText();
  return (
    <p className="text-caption text-ink-faint">{t("publishing.zone", { zone: getZoneName() })}</p>
  );
}
