import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import type { ScanSheetProps } from "#web/screens/wallet/scan/ScanSheetBody.tsx";

const Body = lazyComponent(() => import("#web/screens/wallet/scan/ScanSheetBody.tsx"), ["send"]);

/** Reads a QR code by the camera, or from a picture. Loaded when it is first opened. */
export function ScanSheet(props: ScanSheetProps) {
  if (!props.open) return null;
  // The sheet stands outside of this place; only what would show while it loads is in here.
  return (
    <div hidden>
      <Body {...props} />
    </div>
  );
}
