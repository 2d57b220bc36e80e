import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** What luck does, beside a result; nothing until it is known. */
export const Luck = lazyComponent(
  () => import("#web/features/money/LuckText.tsx"),
  ["results"],
  null,
);
