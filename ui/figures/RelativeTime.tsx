import { useEffect, useState } from "react";
import { useIntl } from "react-intl";
import { toRelative } from "#ui/figures/relativeTime.ts";

const refreshMs = 20_000;

/**
 * A moment in relative form, "5 minutes ago", and after 30 days as its date; the exact time is in
 * its title. `now` is the clock that `atMs` refers to.
 */
export function RelativeTime({ atMs, now }: { atMs: number; now: () => number }) {
  const { formatDate, formatRelativeTime } = useIntl();
  const [nowMs, setNowMs] = useState(now);
  useEffect(() => {
    const timer = window.setInterval(() => setNowMs(now()), refreshMs);
    return () => window.clearInterval(timer);
  }, [now]);
  const exact = formatDate(atMs, { dateStyle: "medium", timeStyle: "short" });
  const relative = toRelative(atMs, nowMs);
  return (
    <time
      dateTime={new Date(atMs).toISOString()}
      title={exact}
      className="inline-block first-letter:uppercase"
    >
      {relative ? formatRelativeTime(relative.value, relative.unit, { numeric: "auto" }) : exact}
    </time>
  );
}
