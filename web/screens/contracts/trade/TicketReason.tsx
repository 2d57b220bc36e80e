import { useText } from "#i18n/useText.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useDuration } from "../format.ts";
import type { Ticket } from "./useTicket.ts";

/** Why Up and Down are disabled, or what has changed by itself; for a visitor, that looking is free. */
export function TicketReason({ ticket, id }: { ticket: Ticket; id: string }) {
  const t = useText();
  const { status } = useSession();
  const duration = useDuration();
  const { blocked, replaced, tier } = ticket;
  return (
    <p id={id} aria-live="polite" className="text-caption text-pretty empty:hidden">
      {blocked ? (
        <span className="text-warning">{t(`contracts.blocked.${blocked}`)}</span>
      ) : replaced ? (
        <span className="text-warning">
          {t("contracts.ticket.tierMoved", {
            from: duration(replaced.seconds),
            to: duration(tier.seconds),
          })}
        </span>
      ) : status === "signed_out" ? (
        <span className="text-ink-faint">{t("contracts.ticket.signInFirst")}</span>
      ) : null}
    </p>
  );
}
