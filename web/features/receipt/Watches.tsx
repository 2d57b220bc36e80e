import { AcknowledgementHost } from "#web/features/receipt/acknowledgement/AcknowledgementHost.tsx";
import { PriceWatch } from "#web/features/receipt/PriceWatch.tsx";

/** What this browser compares with the log in the background; each shows only a contradiction. */
export default function Watches() {
  return (
    <>
      <PriceWatch />
      <AcknowledgementHost />
    </>
  );
}
