import { lazyPart } from "#web/lib/lazyComponent.tsx";

export interface ScanSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The text of the code, as it is: the caller reads and checks it (`readAddressUri`). */
  onRead: (text: string) => void;
}

const Body = lazyPart(() => import("#web/screens/wallet/scan/ScanSheetBody.tsx"), ["send"]);

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
