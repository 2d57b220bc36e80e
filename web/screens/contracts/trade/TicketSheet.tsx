import type { ContractDetails } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Outcomes } from "./Outcomes.tsx";
import { TicketFields } from "./TicketFields.tsx";
import type { Ticket } from "./useTicket.ts";

/** On a phone: the fields of the ticket, with what each choice does to the odds. */
export default function TicketSheet({
  details,
  ticket,
  open,
  onOpenChange,
}: {
  details: ContractDetails;
  ticket: Ticket;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useText();
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t("contracts.ticket.fields")}
      actions={
        <Button block variant="outline" onClick={() => onOpenChange(false)}>
          {t("contracts.ticket.fieldsDone")}
        </Button>
      }
    >
      <TicketFields ticket={ticket} />
      <div className="mt-4">
        <Outcomes
          details={details}
          tier={ticket.tier}
          quote={ticket.quote}
          available={ticket.available}
        />
      </div>
    </Sheet>
  );
}
