import { type ReactNode, Suspense, useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { useWasOpened } from "#ui/overlay/useOpened.ts";

interface RunButtonProps {
  label: string;
  /** Title of the sheet, and a few sentences about what happens in it. */
  title: string;
  text: string;
  disabled?: boolean;
  /** True if the address asks for the sheet; `onClosed` removes that from the address. */
  isRequested?: boolean;
  onClosed?: () => void;
  /** Loads the code of `children`. */
  load: () => Promise<unknown>;
  children: ReactNode;
}

/** A button whose sheet shows a run; each opening starts a new one. */
export function RunButton({
  label,
  title,
  text,
  disabled,
  isRequested = false,
  onClosed,
  load,
  children,
}: RunButtonProps) {
  const [open, setOpen] = useState(false);
  const isShown = open || (isRequested && !disabled);
  const change = (next: boolean) => {
    setOpen(next);
    if (isRequested && !next) onClosed?.();
  };
  useWasOpened(isShown, load);
  return (
    <>
      <Button
        variant="outline"
        size="small"
        block
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Sheet open={isShown} onOpenChange={change} title={title} description={text}>
        {isShown ? <Suspense fallback={null}>{children}</Suspense> : null}
      </Sheet>
    </>
  );
}
