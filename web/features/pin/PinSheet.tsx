import { Suspense } from "react";
import { loadMessages } from "#i18n/load.ts";
import type { PinSheetProps } from "#web/features/pin/PinSheetBody.tsx";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";

const Body = deferredComponent(async () => {
  const [body] = await Promise.all([
    import("#web/features/pin/PinSheetBody.tsx"),
    loadMessages(["pin"]),
  ]);
  return body;
});

/**
 * Asks for the PIN before money leaves. The caller knows that one is set from the terms or from a
 * `pin.required` error.
 */
export function PinSheet(props: PinSheetProps) {
  return props.open ? (
    <Suspense fallback={null}>
      <Body {...props} />
    </Suspense>
  ) : null;
}
