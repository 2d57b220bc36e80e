import { Console } from "#operator/app/Console.tsx";
import "#operator/app/console.css";
import { Toaster } from "#ui/overlay/Toaster.tsx";
import { PracticeBand } from "#ui/PracticeBand.tsx";
import { SessionHost } from "#web/features/session/SessionHost.tsx";
import { AppFrame } from "#web/lib/start/AppFrame.tsx";
import { startApp } from "#web/lib/start/startApp.tsx";

void startApp({
  app: (
    <AppFrame>
      <PracticeBand />
      <Console />
      <SessionHost />
      <Toaster />
    </AppFrame>
  ),
  namespaces: ["console", "permissions", "audit"],
  failed: "The console could not load completely. Reload the page to try again.",
});
