import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** A link to the inbox, for a header: 44 px wide from the first render. */
export const InboxBell = lazyComponent(
  () => import("#web/features/inbox/InboxBellBody.tsx"),
  ["inbox"],
  <span className="size-11" />,
);
