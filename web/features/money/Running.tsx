import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Open orders, on screens that do not show them. */
export const Running = lazyComponent(
  () => import("#web/features/money/RunningChip.tsx"),
  ["results"],
  null,
);
