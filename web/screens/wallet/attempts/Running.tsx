import { useIntl } from "react-intl";
import type { Attempt } from "#api/attempts.ts";

const known = ["contract", "hosting", "mining"];

/** What still runs, one line each, with the time at which the last of it ends. */
export function Running({ running }: { running: Attempt["running"] }) {
  const { formatMessage, formatDate } = useIntl();
  if (running.length === 0) return null;
  return (
    <ul className="mt-1 flex flex-col gap-1">
      {running.map(({ about, count, last_at_ms: lastMs }) => (
        <li key={about}>
          {formatMessage(
            { id: `attempts.running.${known.includes(about) ? about : "other"}` },
            { count },
          )}
          {lastMs === null ? null : (
            <span className="block text-small text-ink-faint">
              {formatMessage(
                { id: "attempts.running.until" },
                { time: formatDate(lastMs, { dateStyle: "medium", timeStyle: "short" }) },
              )}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
