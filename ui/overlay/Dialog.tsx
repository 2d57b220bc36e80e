import { lazy, type ReactNode, Suspense } from "react";
import { useOpened } from "#ui/overlay/useOpened.ts";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** One or two sentences: what will happen. */
  children?: ReactNode;
  /** Buttons, the way out first. */
  actions: ReactNode;
}

const load = () => import("#ui/overlay/DialogBody.tsx");
const DialogBody = lazy(load);

/** A question that must be answered before going on. Esc answers it with no. */
export function Dialog(props: DialogProps) {
  return useOpened(props.open, load) ? (
    <Suspense fallback={null}>
      <DialogBody {...props} />
    </Suspense>
  ) : null;
}
