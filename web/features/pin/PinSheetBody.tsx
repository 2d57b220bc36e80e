import { useState } from "react";
import { isPin } from "#core/pin/pin.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { PinInput } from "#web/features/pin/PinInput.tsx";
import { openSignIn } from "#web/features/session/sheets.ts";

export interface PinSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Six digits; called after the sixth, or by the button. */
  onPin: (pin: string) => void;
  busy: boolean;
  /** The message of the last refusal (`pin.wrong`, `pin.locked`); the boxes are cleared with it. */
  error: string | null;
}

/** The body of a `PinSheet`. */
export default function PinSheetBody({ open, onOpenChange, onPin, busy, error }: PinSheetProps) {
  const t = useText();
  const [text, setText] = useState("");
  const [previous, setPrevious] = useState({ open, error });
  // Cleared when the sheet opens again and after a refusal.
  if (previous.open !== open || previous.error !== error) {
    setPrevious({ open, error });
    if (open !== previous.open || error) setText("");
  }
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!busy) onOpenChange(next);
      }}
      title={t("pin.enter")}
      actions={
        <Button block busy={busy} disabled={!isPin(text)} onClick={() => onPin(text)}>
          {t("pin.go")}
        </Button>
      }
    >
      <PinInput
        label={t("pin.enter")}
        labelHidden
        value={text}
        onChange={setText}
        onFull={onPin}
        error={text === "" ? error : null}
        disabled={busy}
        focus={open && !busy}
      />
      <p className="mt-5 text-small text-ink-soft">{t("pin.forgot")}</p>
      <Button
        variant="quiet"
        size="small"
        className="mt-1 -ml-3.5"
        onClick={() => {
          onOpenChange(false);
          openSignIn();
        }}
      >
        {t("pin.signInAgain")}
      </Button>
    </Sheet>
  );
}
