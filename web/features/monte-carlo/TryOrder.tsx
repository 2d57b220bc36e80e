import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** A button that shows the results of a thousand people with the order on the ticket. */
export const TryOrder = lazyComponent(
  () => import("#web/features/monte-carlo/TryOrderButton.tsx"),
  ["monte-carlo"],
  <div className="min-h-11" />,
);
