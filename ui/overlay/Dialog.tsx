import { lazy, Suspense } from "react";
import type { DialogProps } from "#ui/overlay/DialogBody.tsx";
import { useWasOpened } from "#ui/overlay/useOpened.ts";

const load = () => import("#ui/overlay/DialogBody.tsx");
const DialogBody = lazy(load);

/** A question that must be answered before continuing. Esc and "back" answer no. */
export function Dialog(props: DialogProps) {
  return useWasOpened(props.open, load) ? (
    <Suspense fallback={null}>
      <DialogBody {...props} />
    </Suspense>
  ) : null;
}
