import { Switch as Base } from "@base-ui/react/switch";

export interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  disabled?: boolean;
}

/** On or off, at once. */
export function Switch({ checked, onChange, label, disabled }: SwitchProps) {
  return (
    <Base.Root
      checked={checked}
      onCheckedChange={(next) => onChange(next)}
      aria-label={label}
      disabled={disabled}
      className="relative inline-flex h-7 w-12 shrink-0 items-center rounded-full border border-line-strong bg-well p-0.5 transition-colors after:absolute after:-inset-2 data-checked:border-signal-ink data-checked:bg-signal"
    >
      <Base.Thumb className="size-5 rounded-full bg-ink-soft transition-transform data-checked:translate-x-5 data-checked:bg-on-signal" />
    </Base.Root>
  );
}
