import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** The share of luck in a result, shown beside it; nothing until it is known. */
export const Luck = lazyComponent(
  () => import("#web/features/money/LuckText.tsx"),
  ["results"],
  null,
);
