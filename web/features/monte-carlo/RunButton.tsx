import { type ReactNode, Suspense, useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { useOpened } from "#ui/overlay/useOpened.ts";

interface RunButtonProps {
  label: string;
  /** Of the sheet, and what is done there in a few sentences. */
  title: string;
  text: string;
  disabled?: boolean;
  /** Loads the code of `children`. */
  load: () => Promise<unknown>;
  children: ReactNode;
}

/** A button whose sheet shows a run; each opening is a new one. */
export function RunButton({ label, title, text, disabled, load, children }: RunButtonProps) {
  const [open, setOpen] = useState(false);
  useOpened(open, load);
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
      <Sheet open={open} onOpenChange={setOpen} title={title} description={text}>
        {open ? <Suspense fallback={null}>{children}</Suspense> : null}
      </Sheet>
    </>
  );
}
