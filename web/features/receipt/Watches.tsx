import { AcknowledgementHost } from "#web/features/receipt/acknowledgement/AcknowledgementHost.tsx";
import { PriceWatch } from "#web/features/receipt/PriceWatch.tsx";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

const ArchiveBar = lazyComponent(
  () => import("#web/features/receipt/ArchiveBar.tsx"),
  ["archived-world"],
  null,
);

/** Background comparisons of this browser's data with the log; each shows only a contradiction. */
export default function Watches() {
  const world = useConfig()?.world;
  return (
    <>
      {world?.archive ? <ArchiveBar world={world.name} {...world.archive} /> : null}
      <PriceWatch />
      <AcknowledgementHost />
    </>
  );
}
