import { Suspense } from "react";
import { loadMessages } from "#i18n/load.ts";
import { useWasOpened } from "#ui/overlay/useOpened.ts";
import type { LeaveSheetProps } from "#web/features/leave-site/LeaveSheetBody.tsx";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";

const load = async () => {
  const [body] = await Promise.all([
    import("#web/features/leave-site/LeaveSheetBody.tsx"),
    loadMessages(["leave-site"]),
  ]);
  return body;
};
const Body = deferredComponent(load);

/**
 * Names the host a link leads to, before it leaves this site. Every external link in the app goes
 * through it.
 */
export function LeaveSheet(props: LeaveSheetProps) {
  return useWasOpened(props.url !== null, load) ? (
    <Suspense fallback={null}>
      <Body {...props} />
    </Suspense>
  ) : null;
}
