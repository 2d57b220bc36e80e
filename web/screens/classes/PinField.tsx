import { isPin, pinDigits } from "#core/pin/pin.ts";
import { useText } from "#i18n/useText.ts";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";

interface Props {
  pin: string;
  onChange: (pin: string) => void;
  /** True after the first attempt: an invalid PIN is then marked. */
  isTried: boolean;
}

/** The PIN of a backup, shown while it is typed: a wrong one uses up an attempt. */
export function PinField({ pin, onChange, isTried }: Props) {
  const t = useText();
  return (
    <Field
      label={t("class-room.pin")}
      hint={t("class-room.pin.hint")}
      error={isTried && !isPin(pin) ? t("class-room.pin.form") : undefined}
    >
      <TextInput
        value={pin}
        onChange={(next) => onChange(next.replaceAll(/\D/g, "").slice(0, pinDigits))}
        inputMode="numeric"
        autoComplete="off"
        className="font-mono tracking-widest"
      />
    </Field>
  );
}
