import { createContext, useContext } from "react";

/** The properties that a `Field` passes to the control inside it. */
export interface FieldLink {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}

export const FieldContext = createContext<FieldLink | null>(null);

/** Attributes that link a control to the enclosing `Field`; empty outside one. */
export function useFieldLink() {
  const link = useContext(FieldContext);
  if (!link) return {};
  return {
    id: link.id,
    "aria-describedby": link.describedBy,
    "aria-invalid": link.invalid || undefined,
  };
}
