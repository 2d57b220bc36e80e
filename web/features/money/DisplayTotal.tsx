import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** The total in the display currency; its rates are not part of the first load. */
export const DisplayTotal = lazyComponent(
  () => import("#web/features/money/DisplayTotalBody.tsx"),
  ["results"],
  null,
);
