import { createContext, useContext } from "react";

/** What a `Field` tells the control inside it. */
export interface FieldLink {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}

export const FieldContext = createContext<FieldLink | null>(null);

/** The attributes that tie a control to the `Field` around it; none outside of one. */
export function useFieldLink() {
  const link = useContext(FieldContext);
  if (!link) return {};
  return {
    id: link.id,
    "aria-describedby": link.describedBy,
    "aria-invalid": link.invalid || undefined,
  };
}
