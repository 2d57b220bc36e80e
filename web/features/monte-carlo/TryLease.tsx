import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Button that shows what a thousand people came to with a lease. */
export const TryLease = lazyComponent(
  () => import("#web/features/monte-carlo/TryLeaseButton.tsx"),
  ["monte-carlo"],
  <div className="min-h-11" />,
);
