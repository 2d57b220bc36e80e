import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** A button that shows the results of entering a pool at every moment of its history. */
export const TryPool = lazyComponent(
  () => import("#web/features/monte-carlo/TryPoolButton.tsx"),
  ["hosting", "monte-carlo"],
  <div className="min-h-11" />,
);
