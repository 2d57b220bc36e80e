import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** The costs between the mid price and a fill, as a table that adds up. */
export const FillCosts = lazyComponent(
  () => import("#web/features/fill-costs/FillCostsTable.tsx"),
  ["fill-costs"],
  null,
);
