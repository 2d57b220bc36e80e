export interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  disabled?: boolean;
}

/** On or off, effective immediately. A native checkbox with the role of a switch. */
export function Switch({ checked, onChange, label, disabled }: SwitchProps) {
  return (
    <span className="relative inline-flex h-7 w-12 shrink-0 items-center rounded-full border border-line-strong bg-well p-0.5 transition-colors has-checked:border-signal-ink has-checked:bg-signal has-disabled:opacity-45 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-signal-ink">
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="peer absolute -inset-2 cursor-pointer opacity-0"
      />
      <span className="pointer-events-none size-5 rounded-full bg-ink-soft transition-transform peer-checked:translate-x-5 peer-checked:bg-on-signal" />
    </span>
  );
}
