import { IconBell } from "@tabler/icons-react";
import { getInbox, getUnread } from "#api/routes/inbox.ts";
import { useText } from "#i18n/useText.ts";
import { Link } from "#ui/router.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useStreamEvent } from "#web/lib/stream.ts";

/** The highest number shown; a larger one is "99+". */
const countedMax = 99;

/** A link to the inbox, with the number of unread items. */
export default function InboxBellBody() {
  const t = useText();
  const { status } = useSession();
  const refetchCount = () => {
    void invalidate(getUnread);
    void invalidate(getInbox);
  };
  useStreamEvent("order", ({ order }) => {
    if (order.status === "over") refetchCount();
  });
  useStreamEvent("balances", refetchCount);
  useStreamEvent("act", refetchCount);
  const { data } = useApiQuery(getUnread, {}, { enabled: status === "signed_in" });
  if (status !== "signed_in") return null;
  const count = data?.unread ?? 0;
  const label = t("inbox.bell", { count });
  return (
    <Link
      to="/inbox"
      aria-label={label}
      title={label}
      className="relative inline-grid size-11 place-items-center rounded-dock text-ink-soft transition-colors hover:bg-well"
    >
      <IconBell size={22} stroke={1.5} aria-hidden="true" />
      {count > 0 ? (
        <span
          aria-hidden="true"
          className="absolute top-0 right-0 rounded-full bg-ink px-1 text-caption font-strong text-paper"
        >
          {count > countedMax ? `${countedMax}+` : count}
        </span>
      ) : null}
    </Link>
  );
}
