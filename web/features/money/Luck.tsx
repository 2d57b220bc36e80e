import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** The share of luck in a result, shown beside it; renders nothing until the share is known. */
export const Luck = lazyComponent(
  () => import("#web/features/money/LuckText.tsx"),
  ["results"],
  null,
);
