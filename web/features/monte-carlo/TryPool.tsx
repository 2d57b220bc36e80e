import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Button that shows what became of money put into a pool at every moment of its history. */
export const TryPool = lazyComponent(
  () => import("#web/features/monte-carlo/TryPoolButton.tsx"),
  ["hosting", "monte-carlo"],
  <div className="min-h-11" />,
);
