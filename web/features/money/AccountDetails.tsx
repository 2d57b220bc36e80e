import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Details below the total; renders nothing until the total is known. */
export const AccountDetails = lazyComponent(
  () => import("#web/features/money/AccountDetailsBody.tsx"),
  ["results"],
  null,
);
