import { lazy, type ReactNode, Suspense } from "react";
import { useOpened } from "#ui/overlay/useOpened.ts";

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, kept in sight below what scrolls. */
  actions?: ReactNode;
}

const load = () => import("#ui/overlay/SheetBody.tsx");
const SheetBody = lazy(load);

/**
 * What rises from the foot of a phone (a window in the middle on wide screens) for one task. Esc
 * and the scrim close it.
 * Base UI, loaded when first needed: focus traps, inertness and scroll locks are hard to get right.
 * Fields, tabs and switches are close to what HTML gives, cost 4 to 25 KB there, and are ours.
 */
export function Sheet(props: SheetProps) {
  return useOpened(props.open, load) ? (
    <Suspense fallback={null}>
      <SheetBody {...props} />
    </Suspense>
  ) : null;
}
