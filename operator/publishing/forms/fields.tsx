import { type ReactNode, useState } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { decimalSign } from "#ui/figures/numbers.ts";
import { readAmountText, settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { useFieldLink } from "#ui/form/fieldContext.ts";
import { inputClass, TextInput } from "#ui/form/TextInput.tsx";

interface TextFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /**
   * Characters as the server counts them; a longer text can be typed and saved, but not published.
   */
  max: number;
  /** Rows of a multi-line box; a single line if omitted. */
  rows?: number;
  hint?: ReactNode;
  error?: string | undefined;
  lang?: string;
  isMonospace?: boolean;
  type?: "text" | "url";
  disabled?: boolean;
}

/** A text input with a count of the characters used. */
export function TextField({
  label,
  value,
  onChange,
  max,
  hint,
  error,
  rows,
  ...rest
}: TextFieldProps) {
  const t = useText();
  const excess = value.length - max;
  const tooLong = excess > 0 ? t("publishing.tooLong", { max, over: excess }) : undefined;
  const { isMonospace, ...own } = rest;
  return (
    <Field
      label={label}
      hint={hint}
      error={tooLong ?? error}
      aside={
        <span className={cx("tabular-nums", excess > 0 && "font-strong text-flare")}>
          {t("publishing.count", { count: value.length, max })}
        </span>
      }
    >
      {rows === undefined ? (
        <TextInput {...own} value={value} onChange={onChange} autoComplete="off" />
      ) : (
        <Area
          {...own}
          value={value}
          onChange={onChange}
          rows={rows}
          isMonospace={isMonospace ?? false}
        />
      )}
    </Field>
  );
}

interface AreaProps {
  value: string;
  onChange: (value: string) => void;
  rows: number;
  isMonospace: boolean;
  lang?: string;
}

function Area({ value, onChange, rows, isMonospace, lang }: AreaProps) {
  const link = useFieldLink();
  return (
    <textarea
      {...link}
      lang={lang}
      value={value}
      rows={rows}
      onChange={({ target }) => onChange(target.value)}
      className={cx(inputClass, "resize-y py-2.5", isMonospace && "font-mono text-small")}
    />
  );
}

interface NumberFieldProps {
  label: string;
  /** Digits after the point; 0 for whole numbers. */
  digits: number;
  value: string;
  onChange: (value: string) => void;
  unit?: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A number in the reader's notation; empty is "". The input stays as typed. */
export function NumberField({
  label,
  digits,
  value,
  onChange,
  unit,
  hint,
  error,
}: NumberFieldProps) {
  const { locale } = useIntl();
  const sign = decimalSign(locale);
  const [typedText, setTypedText] = useState(value);
  return (
    <Field label={label} aside={unit} hint={hint} error={error}>
      <TextInput
        inputMode={digits === 0 ? "numeric" : "decimal"}
        autoComplete="off"
        value={typedText.replace(".", sign)}
        onChange={(text) => {
          const amountText = readAmountText(text, digits);
          if (amountText === null) return;
          setTypedText(amountText);
          onChange(settleAmountText(amountText));
        }}
        className="tabular-nums"
      />
    </Field>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly (readonly [value: Value, label: string])[];
  hint?: ReactNode;
  error?: string | undefined;
  disabled?: boolean;
}

export function Choice<Value extends string>({ label, hint, error, ...rest }: ChoiceProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Select {...rest} />
    </Field>
  );
}

function Select<Value extends string>({
  value,
  onChange,
  options,
  disabled,
}: Omit<ChoiceProps<Value>, "label">) {
  const link = useFieldLink();
  return (
    <select
      {...link}
      value={value}
      disabled={disabled}
      onChange={({ target }) => onChange(target.value as Value)}
      className={inputClass}
    >
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
}
