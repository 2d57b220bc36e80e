import { Toaster } from "#ui/overlay/Toaster.tsx";
import { SearchHost } from "#web/app/search/SearchHost.tsx";
import { SessionHost } from "#web/features/session/SessionHost.tsx";

/** What opens over any screen, which the first picture does without: search, sign-in, messages. */
export default function Overlays() {
  return (
    <>
      <SearchHost />
      <SessionHost />
      <Toaster />
    </>
  );
}
