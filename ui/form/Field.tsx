import { type ReactNode, useId } from "react";
import { FieldContext } from "#ui/form/fieldContext.ts";

export interface FieldProps {
  label: ReactNode;
  /** At the end of the label line: a balance, a limit. */
  aside?: ReactNode;
  hint?: ReactNode;
  /** A sentence that says how to correct the value; its presence marks the field as invalid. */
  error?: ReactNode;
  children: ReactNode;
}

/**
 * A label, a control (`TextInput`, `AmountInput`), a hint and an error, linked for assistive
 * technology. Not Base UI's field: its validation adds 25 KB to every screen with an amount.
 */
export function Field({ label, aside, hint, error, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error || hint;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-small font-strong">
          {label}
        </label>
        {aside ? <span className="text-caption text-ink-faint">{aside}</span> : null}
      </div>
      <FieldContext value={{ id, describedBy: note ? noteId : undefined, invalid: Boolean(error) }}>
        {children}
      </FieldContext>
      <div
        id={noteId}
        aria-live="polite"
        className={error ? "text-small text-flare" : "text-caption text-ink-faint empty:hidden"}
      >
        {note}
      </div>
    </div>
  );
}
