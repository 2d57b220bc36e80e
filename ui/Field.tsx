import { Field as Base } from "@base-ui/react/field";
import type { ReactNode } from "react";

export interface FieldProps {
  label: ReactNode;
  /** Stands beside the label at its end: a balance, a limit. */
  aside?: ReactNode;
  hint?: ReactNode;
  /** A sentence that says what to change; its presence marks the field invalid. */
  error?: ReactNode;
  children: ReactNode;
}

/** A label, a control (`TextInput`, `AmountInput`), a hint and an error, tied together for assistive technology. */
export function Field({ label, aside, hint, error, children }: FieldProps) {
  return (
    <Base.Root invalid={Boolean(error)} className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <Base.Label className="text-small font-strong">{label}</Base.Label>
        {aside ? <span className="text-caption text-ink-faint">{aside}</span> : null}
      </div>
      {children}
      {error ? (
        <Base.Error match={true} className="text-small text-flare" role="alert">
          {error}
        </Base.Error>
      ) : null}
      {hint && !error ? (
        <Base.Description className="text-caption text-ink-faint">{hint}</Base.Description>
      ) : null}
    </Base.Root>
  );
}
