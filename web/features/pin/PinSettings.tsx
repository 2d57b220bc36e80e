import { type ReactNode, Suspense } from "react";
import { loadMessages } from "#i18n/load.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";

const Row = deferredComponent(async () => {
  const [row] = await Promise.all([
    import("#web/features/pin/PinSettingsRow.tsx"),
    loadMessages(["pin"]),
  ]);
  return row;
});

/** Settings row that sets, changes or removes the PIN; only when signed in. */
export function PinSettings({ leading }: { leading?: ReactNode }) {
  return (
    <Suspense fallback={<div className="min-h-18" />}>
      <Row leading={leading} />
    </Suspense>
  );
}
