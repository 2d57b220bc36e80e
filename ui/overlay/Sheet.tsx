import { lazy, Suspense } from "react";
import type { SheetProps } from "#ui/overlay/SheetBody.tsx";
import { useWasOpened } from "#ui/overlay/useOpened.ts";

const load = () => import("#ui/overlay/SheetBody.tsx");
const SheetBody = lazy(load);

/**
 * A panel for one task: a bottom sheet on phones, a centred window on wide screens. Esc, "back" and
 * the scrim close it.
 * Uses Base UI, loaded on first use, because focus traps, inertness and scroll locks are hard to
 * get right. Fields, tabs and switches are close to what HTML provides, would cost 4 to 25 KB
 * there, and are written here.
 */
export function Sheet(props: SheetProps) {
  return useWasOpened(props.open, load) ? (
    <Suspense fallback={null}>
      <SheetBody {...props} />
    </Suspense>
  ) : null;
}
