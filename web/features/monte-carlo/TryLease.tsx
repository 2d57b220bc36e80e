import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** A button that shows the results of a thousand people with a lease. */
export const TryLease = lazyComponent(
  () => import("#web/features/monte-carlo/TryLeaseButton.tsx"),
  ["monte-carlo"],
  <div className="min-h-11" />,
);
