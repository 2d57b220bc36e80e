import type { ContractDetails } from "#api/contracts.ts";
import { MarketNote } from "./MarketNote.tsx";
import { Outcomes } from "./Outcomes.tsx";
import { TradeNotes } from "./TradeNotes.tsx";
import type { Ticket } from "./useTicket.ts";

/**
 * Everything an order costs and the odds against it; the line before the buttons has the summary.
 */
export default function OrderCosts({
  details,
  ticket,
}: {
  details: ContractDetails;
  ticket: Ticket;
}) {
  return (
    <>
      <div className="mt-4 flex flex-col gap-4 px-4">
        <Outcomes
          details={details}
          tier={ticket.tier}
          quote={ticket.quote}
          available={ticket.available}
        />
        <MarketNote />
      </div>
      <TradeNotes details={details} />
    </>
  );
}
