import { IconAlertTriangle } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import type { CheckedRecipient } from "./types.ts";

/**
 * The facts known about an address: whether it was sent to before, and which known address it
 * resembles without being it.
 */
export function RecipientNotes({ recipient }: { recipient: CheckedRecipient }) {
  const { formatDate } = useIntl();
  const t = useText();
  const {
    network,
    address,
    sent_before: times,
    last_sent_at_ms: lastMs,
    looks_like: twin,
  } = recipient;
  return (
    <div className="flex flex-col gap-2 text-small" aria-live="polite">
      <p className={times === 0 ? "text-warning" : "text-ink-soft"}>
        {times === 0
          ? t("send.firstTime", { network })
          : t("send.before", {
              network,
              times,
              date: formatDate(lastMs ?? 0, { dateStyle: "medium" }),
            })}
      </p>
      {twin === null ? null : (
        <div role="alert" className="flex gap-3 rounded-dock border border-line bg-leaf px-4 py-3">
          <IconAlertTriangle size={20} className="mt-0.5 shrink-0 text-flare" aria-hidden="true" />
          <div className="min-w-0">
            <p className="font-strong">{t("send.lookAlike")}</p>
            <p className="mt-1 text-ink-soft">{t("send.lookAlike.body")}</p>
            <dl className="mt-2">
              <dt className="text-caption text-ink-faint">{t("send.lookAlike.this")}</dt>
              <dd className="font-mono break-all">{address}</dd>
              <dt className="mt-1 text-caption text-ink-faint">{t("send.lookAlike.known")}</dt>
              <dd className="font-mono break-all">{twin}</dd>
            </dl>
          </div>
        </div>
      )}
    </div>
  );
}
