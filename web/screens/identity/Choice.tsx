import { useFieldLink } from "#ui/form/fieldContext.ts";
import { inputClass } from "#ui/form/TextInput.tsx";

export interface ChoiceProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
}

/**
 * A native select; empty until something is chosen. Inside a `Field` it takes that field's label
 * and error.
 */
export function Choice({ value, onChange, options }: ChoiceProps) {
  const link = useFieldLink();
  return (
    <select
      {...link}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={inputClass}
    >
      <option value="" aria-label="–" />
      {options.map((item) => (
        <option key={item.value} value={item.value}>
          {item.label}
        </option>
      ))}
    </select>
  );
}
