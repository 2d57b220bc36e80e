import { lazy, Suspense } from "react";
import { needMessages } from "#i18n/load.ts";

export interface PinSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Six digits; called when the sixth is there, or by the button. */
  onPin: (pin: string) => void;
  busy: boolean;
  /** The sentence of the last refusal (`pin.wrong`, `pin.locked`); the boxes are empty again with it. */
  error: string | null;
}

const Body = lazy(async () => {
  const [body] = await Promise.all([
    import("#web/features/pin/PinSheetBody.tsx"),
    needMessages(["pin"]),
  ]);
  return body;
});

/** Asks for the PIN before money moves away. Whoever uses it knows from the terms, or from `pin.required`, that one is set. */
export function PinSheet(props: PinSheetProps) {
  return props.open ? (
    <Suspense fallback={null}>
      <Body {...props} />
    </Suspense>
  ) : null;
}
