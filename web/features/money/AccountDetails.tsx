import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Below the total; its space is kept, so that nothing under it moves. */
export const AccountDetails = lazyComponent(
  () => import("#web/features/money/AccountDetailsBody.tsx"),
  ["results"],
  <div className="min-h-64" />,
);
