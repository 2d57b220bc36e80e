import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import type { ScanSheetProps } from "#web/screens/wallet/scan/ScanSheetBody.tsx";

const Body = lazyComponent(() => import("#web/screens/wallet/scan/ScanSheetBody.tsx"), ["send"]);

/** Reads a QR code from the camera or a picture. Loaded when first opened. */
export function ScanSheet(props: ScanSheetProps) {
  if (!props.open) return null;
  // The sheet renders elsewhere in a portal; this hides only its loading fallback.
  return (
    <div hidden>
      <Body {...props} />
    </div>
  );
}
