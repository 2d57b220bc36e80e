import { AcknowledgementHost } from "#web/features/receipt/acknowledgement/AcknowledgementHost.tsx";
import { PriceWatch } from "#web/features/receipt/PriceWatch.tsx";

/** Background comparisons of this browser's data with the log; each shows only a contradiction. */
export default function Watches() {
  return (
    <>
      <PriceWatch />
      <AcknowledgementHost />
    </>
  );
}
