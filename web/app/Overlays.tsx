import { Toaster } from "#ui/overlay/Toaster.tsx";
import { SearchHost } from "#web/app/search/SearchHost.tsx";
import { SessionHost } from "#web/features/session/SessionHost.tsx";

/**
 * Overlays over any screen, which are not needed for the first render: search, sign-in, messages.
 */
export default function Overlays() {
  return (
    <>
      <SearchHost />
      <SessionHost />
      <Toaster />
    </>
  );
}
