import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Button that shows what a thousand people came to with the order on the ticket. */
export const TryOrder = lazyComponent(
  () => import("#web/features/monte-carlo/TryOrderButton.tsx"),
  ["monte-carlo"],
  <div className="min-h-11" />,
);
