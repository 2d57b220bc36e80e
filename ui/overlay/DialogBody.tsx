import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";
import { useBackCloses } from "#ui/overlay/useBackCloses.ts";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** One or two sentences saying what will happen. */
  children?: ReactNode;
  /** Buttons, the one that cancels first. */
  actions: ReactNode;
}

/** The body of a `Dialog`, loaded when the first one opens. */
export default function DialogBody({ open, onOpenChange, title, children, actions }: DialogProps) {
  useBackCloses(open, () => onOpenChange(false));
  return (
    <CSPProvider disableStyleElements>
      <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
        <Base.Portal>
          <Base.Backdrop className="sheet-backdrop fixed inset-0 z-30 bg-scrim" />
          <Base.Viewport className="fixed inset-0 z-40 grid place-items-center p-6">
            <Base.Popup className="sheet-popup w-full max-w-90 rounded-dock border border-line bg-paper p-5 outline-none">
              <Base.Title className="text-title font-strong">{title}</Base.Title>
              <Base.Description render={<div />} className="mt-2 text-small text-ink-soft">
                {children}
              </Base.Description>
              <div className="mt-5 flex flex-wrap justify-end gap-2">{actions}</div>
            </Base.Popup>
          </Base.Viewport>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}
