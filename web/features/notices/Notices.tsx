import { lazy, Suspense } from "react";
import { loadMessages } from "#i18n/load.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";

const Host = lazy(async () => {
  const [host] = await Promise.all([
    import("#web/features/notices/NoticeHost.tsx"),
    loadMessages(["notices"]),
  ]);
  return host;
});

/**
 * The operator's notices, loaded once the first screen has what it needs. Nothing waits for them.
 */
export function Notices() {
  const isStarted = useConfig() !== undefined;
  return isStarted ? (
    <Suspense fallback={null}>
      <Host />
    </Suspense>
  ) : null;
}
