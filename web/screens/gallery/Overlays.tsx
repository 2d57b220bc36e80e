import { useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/overlay/Dialog.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { notify, toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";

export function Overlays() {
  const [open, setOpen] = useState<"sheet" | "dialog" | null>(null);
  const close = () => setOpen(null);
  return (
    <Section title="Overlays" kind="plain">
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => setOpen("sheet")}>
          Open sheet
        </Button>
        <Button variant="outline" onClick={() => setOpen("dialog")}>
          Open dialog
        </Button>
        <Button variant="outline" onClick={() => toast("Copy Successfully")}>
          Show toast
        </Button>
        <Button
          variant="outline"
          onClick={() => notify("BTC/USDT, up", "Settled: 89 pUSDT came back.")}
        >
          Show notice
        </Button>
      </div>
      <Sheet
        open={open === "sheet"}
        onOpenChange={close}
        title="Place an up order"
        description="101 pUSDT leave your balance now."
        actions={
          <Button block onClick={close}>
            Place order
          </Button>
        }
      >
        <p className="text-small">If right you get back 190 pUSDT. If wrong you lose 101 pUSDT.</p>
      </Sheet>
      <Dialog
        open={open === "dialog"}
        onOpenChange={close}
        title="Exclude yourself for 30 days?"
        actions={
          <>
            <Button variant="outline" size="small" onClick={close}>
              Go back
            </Button>
            <Button variant="danger" size="small" onClick={close}>
              Exclude me
            </Button>
          </>
        }
      >
        This cannot be undone early.
      </Dialog>
    </Section>
  );
}
