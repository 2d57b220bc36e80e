import { lazy, Suspense } from "react";
import { needMessages } from "#i18n/load.ts";

export interface ScanSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The text of the code, as it is: the caller reads and checks it (`readAddressUri`). */
  onRead: (text: string) => void;
}

const Body = lazy(async () => {
  const [body] = await Promise.all([
    import("#web/wallet/scan/ScanSheetBody.tsx"),
    needMessages(["send"]),
  ]);
  return body;
});

/** Reads a QR code by the camera, or from a picture. Loaded when it is first opened. */
export function ScanSheet(props: ScanSheetProps) {
  return props.open ? (
    <Suspense fallback={null}>
      <Body {...props} />
    </Suspense>
  ) : null;
}
