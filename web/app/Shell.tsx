import { useEffect, useLayoutEffect } from "react";
import { FormattedMessage, useIntl } from "react-intl";
import { getConfig } from "#api/routes/meta.ts";
import { PracticeBand } from "#ui/PracticeBand.tsx";
import { usePanes, useWide } from "#ui/useWide.ts";
import { Screens } from "#web/app/Screens.tsx";
import { watchSearchKey } from "#web/app/search/searchOpen.ts";
import { TabBar } from "#web/app/TabBar.tsx";
import { useFirstRenderDone } from "#web/app/useFirstRenderDone.ts";
import { SettledNotice } from "#web/features/money/SettledNotice.tsx";
import { Notices } from "#web/features/notices/Notices.tsx";
import { ViewingBar } from "#web/features/viewing/ViewingBar.tsx";
import { queryClient } from "#web/lib/api/client.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { Frame } from "#web/lib/frame/Frame.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { NotLoaded } from "#web/lib/start/NotLoaded.tsx";
import { PartBoundary } from "#web/lib/start/PartBoundary.tsx";
import { onStreamGap, startStream, useStreamEvent } from "#web/lib/stream.ts";
import { useClassPause } from "#web/lib/useClassPause.ts";
import { useOnline } from "#web/lib/useOnline.ts";
import { setWorldClock } from "#web/lib/worldClock.ts";

const Overlays = lazyComponent(() => import("#web/app/Overlays.tsx"), [], null);
const Watches = lazyComponent(() => import("#web/features/receipt/Watches.tsx"), [], null);
// Phones load neither; the layout reserves their space while they load.
const SideNav = lazyComponent(() => import("#web/app/desktop/SideNav.tsx"), ["wide"], null);
const TopBar = lazyComponent(() => import("#web/app/desktop/TopBar.tsx"), ["wide"], null);

/** The frame of every page: the practice band above, the navigation, and one screen. */
export function Shell() {
  useStart();
  const online = useOnline();
  const world = useConfig()?.world;
  const [panes, wide] = [usePanes(), useWide()];
  const firstRenderDone = useFirstRenderDone();
  return (
    <>
      <PracticeBand />
      <Frame
        sideNav={panes ? <SideNav /> : null}
        topBar={wide ? <TopBar /> : null}
        tabBar={panes ? null : <TabBar />}
      >
        <ViewingBar />
        {online ? null : (
          <output className="block bg-warning-wash px-4 py-2 text-center text-small text-balance text-warning">
            <FormattedMessage id="app.offline" />
          </output>
        )}
        {world?.market.kind === "replay" ? (
          <output className="block px-4 pt-2 text-center text-small text-ink-soft">
            <FormattedMessage id={world.paused ? "app.recording_ended" : "app.recorded"} />
          </output>
        ) : null}
        <PauseBar />
        {firstRenderDone ? (
          <PartBoundary>
            <Watches />
          </PartBoundary>
        ) : null}
        <SettledNotice />
        <Screens />
        {firstRenderDone ? <Notices /> : null}
      </Frame>
      {firstRenderDone ? (
        <PartBoundary fallback={(close) => <NotLoaded onClose={close} />}>
          <Overlays />
        </PartBoundary>
      ) : null}
    </>
  );
}

/** Announces a pause of the class, or says that it is paused. */
function PauseBar() {
  const { formatTime } = useIntl();
  const pause = useClassPause();
  return (
    <output>
      {pause ? (
        <span className="block bg-warning-wash px-4 py-2 text-center text-small text-balance text-warning">
          <FormattedMessage
            id={pause.isReached ? "app.pause.reached" : "app.pause.announced"}
            values={{ time: formatTime(pause.atMs, { timeStyle: "medium" }) }}
          />
        </span>
      ) : null}
    </output>
  );
}

/** Starts the world clock and the stream once the configuration has loaded. */
function useStart(): void {
  const config = useConfig();
  // This runs before any effect that asks for the time.
  useLayoutEffect(() => {
    if (!config) return;
    const { now_ms, market, paused, pause } = config.world;
    setWorldClock(now_ms, market.speed, paused ? now_ms : (pause?.at_ms ?? null));
    startStream(config.socket_url);
  }, [config]);
  // Listens before the search itself has loaded, so that its first press is not lost.
  useEffect(watchSearchKey, []);
  // The world has stopped: the configuration now says so, and orders have been settled in the
  // meantime.
  useStreamEvent("world", () => void queryClient.invalidateQueries());
  useStreamEvent("clock", () => void invalidate(getConfig));
  useEffect(() => onStreamGap(() => void queryClient.invalidateQueries()), []);
}
