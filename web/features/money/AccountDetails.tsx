import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Below the total; nothing until it is known. */
export const AccountDetails = lazyComponent(
  () => import("#web/features/money/AccountDetailsBody.tsx"),
  ["results"],
  null,
);
