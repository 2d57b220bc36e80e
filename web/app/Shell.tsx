import { useEffect } from "react";
import { FormattedMessage } from "react-intl";
import { Toaster } from "#ui/overlay/Toaster.tsx";
import { PracticeBand } from "#ui/PracticeBand.tsx";
import { LanguageOffer } from "#web/app/LanguageOffer.tsx";
import { Screens } from "#web/app/Screens.tsx";
import { TabBar } from "#web/app/TabBar.tsx";
import { SettledNotice } from "#web/features/money/SettledNotice.tsx";
import { Notices } from "#web/features/notices/Notices.tsx";
import { AcknowledgementHost } from "#web/features/receipt/acknowledgement/AcknowledgementHost.tsx";
import { PriceWatch } from "#web/features/receipt/PriceWatch.tsx";
import { SessionHost } from "#web/features/session/SessionHost.tsx";
import { ViewingBar } from "#web/features/viewing/ViewingBar.tsx";
import { queryClient } from "#web/lib/api/client.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { onStreamGap, startStream, useStreamEvent } from "#web/lib/stream.ts";
import { useOnline } from "#web/lib/useOnline.ts";
import { setWorldClock } from "#web/lib/worldClock.ts";

/** The frame of every page: the practice band above, the tabs below, one screen between. */
export function Shell() {
  useStart();
  const online = useOnline();
  const world = useConfig()?.world;
  return (
    <>
      <PracticeBand />
      <main className="pt-6 pb-[calc(64px+env(safe-area-inset-bottom))]">
        <LanguageOffer />
        <ViewingBar />
        {online ? null : (
          <output className="block bg-mind-wash px-4 py-2 text-center text-small text-balance text-mind">
            <FormattedMessage id="app.offline" />
          </output>
        )}
        {world?.market.kind === "replay" ? (
          <output className="block px-4 pt-2 text-center text-small text-ink-soft">
            <FormattedMessage id={world.paused ? "app.recording_ended" : "app.recorded"} />
          </output>
        ) : null}
        <PriceWatch />
        <AcknowledgementHost />
        <SettledNotice />
        <Screens />
        <Notices />
      </main>
      <TabBar />
      <SessionHost />
      <Toaster />
    </>
  );
}

/** Starts the world clock and the stream once the configuration has loaded. */
function useStart(): void {
  const config = useConfig();
  useEffect(() => {
    if (!config) return;
    const { now_ms, market, paused } = config.world;
    setWorldClock(now_ms, market.speed, paused);
    startStream(config.socket_url);
  }, [config]);
  // The world has stopped: the configuration now says so, and orders have been settled meanwhile.
  useStreamEvent("world", () => void queryClient.invalidateQueries());
  useEffect(() => onStreamGap(() => void queryClient.invalidateQueries()), []);
}
