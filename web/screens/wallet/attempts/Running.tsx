import { useIntl } from "react-intl";
import type { Attempt } from "#api/attempts.ts";
import { useText } from "#i18n/useText.ts";

const productLines = ["contract", "hosting", "mining"];

/** The open positions, one line each, with the time the last of it ends. */
export function Running({ running }: { running: Attempt["running"] }) {
  const { formatDate } = useIntl();
  const t = useText();
  if (running.length === 0) return null;
  return (
    <ul className="mt-1 flex flex-col gap-1">
      {running.map(({ about, count, last_at_ms: lastMs }) => (
        <li key={about}>
          {t(`attempts.running.${productLines.includes(about) ? about : "other"}`, { count })}
          {lastMs === null ? null : (
            <span className="block text-small text-ink-faint">
              {t("attempts.running.until", {
                time: formatDate(lastMs, { dateStyle: "medium", timeStyle: "short" }),
              })}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
