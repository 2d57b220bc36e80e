import { useText } from "#i18n/useText.ts";
import { useSession } from "#web/features/session/useSession.ts";
import type { Ticket } from "./useTicket.ts";

/** Why Up and Down are disabled; for a visitor, that looking is free. */
export function TicketReason({ ticket, id }: { ticket: Ticket; id: string }) {
  const t = useText();
  const { status } = useSession();
  const { blocked } = ticket;
  return (
    <p id={id} aria-live="polite" className="text-caption text-pretty empty:hidden">
      {blocked ? (
        <span className="text-warning">{t(`contracts.blocked.${blocked}`)}</span>
      ) : status === "signed_out" ? (
        <span className="text-ink-faint">{t("contracts.ticket.signInFirst")}</span>
      ) : null}
    </p>
  );
}
