import { IconKeyboard } from "@tabler/icons-react";
import { type Ref, Suspense, useEffect, useId, useRef } from "react";
import type { ContractDetails } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { useMedia } from "#ui/useMedia.ts";
import { SelfExclusion } from "#web/features/limits/SelfExclusion.tsx";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { DirectionButtons } from "./DirectionButtons.tsx";
import { Odds } from "./Odds.tsx";
import OrderCosts from "./OrderCosts.tsx";
import { TicketFields } from "./TicketFields.tsx";
import { TicketReason } from "./TicketReason.tsx";
import type { Ticket } from "./useTicket.ts";

const ConfirmOrderPanel = deferredComponent(() => import("./ConfirmOrderPanel.tsx"));

interface TicketPanelProps {
  details: ContractDetails;
  ticket: Ticket;
  /** The element around the stake's input, used to focus it. */
  box: Ref<HTMLDivElement>;
  onPlaced: (orderId: string) => void;
  onKeys: () => void;
}

/**
 * The ticket beside the chart, with Up and Down always at its foot. The confirmation replaces it,
 * so that nothing covers the chart.
 */
export function TicketPanel({ details, ticket, box, onPlaced, onKeys }: TicketPanelProps) {
  const t = useText();
  const { tier, quote, confirming } = ticket;
  const section = useRef<HTMLElement>(null);
  // After the confirmation, the focus returns to the button that opened it. The button is in view,
  // so scrolling is prevented: it would move the page.
  const wasConfirming = useRef(confirming);
  useEffect(() => {
    if (confirming === null && wasConfirming.current !== null)
      section.current
        ?.querySelector<HTMLElement>(`[data-direction=${wasConfirming.current}]`)
        ?.focus({ preventScroll: true });
    wasConfirming.current = confirming;
  }, [confirming]);
  if (confirming !== null) {
    return (
      <Suspense fallback={null}>
        <ConfirmOrderPanel
          details={details}
          tier={tier}
          quote={quote}
          direction={confirming}
          onPlaced={onPlaced}
          onClose={ticket.dismiss}
        />
      </Suspense>
    );
  }
  return (
    <section
      ref={section}
      aria-label={t("contracts.ticket.title")}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="min-h-0 flex-1 overflow-y-auto pb-4">
        <div className="flex items-center justify-between px-4">
          <h2 className="min-h-11 content-center font-strong">{t("contracts.ticket.title")}</h2>
          <IconButton label={t("contracts.keys.title")} onClick={onKeys} className="-mr-3">
            <IconKeyboard size={20} aria-hidden="true" />
          </IconButton>
        </div>
        <div className="px-4">
          <TicketFields ticket={ticket} box={box} />
        </div>
        <OrderCosts details={details} ticket={ticket} />
      </div>
      <Foot ticket={ticket} />
    </section>
  );
}

function Foot({ ticket }: { ticket: Ticket }) {
  const t = useText();
  const reasonId = useId();
  const isOff = useConfig()?.contracts_on === false;
  const isLow = useMedia("(max-height: 30rem)");
  return (
    <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
      {isOff ? (
        <p className="text-small text-warning">{t("contracts.ticket.off")}</p>
      ) : (
        <>
          <Odds tier={ticket.tier} quote={ticket.quote} showsStake={isLow} />
          <SelfExclusion>
            <TicketReason ticket={ticket} id={reasonId} />
            <DirectionButtons ticket={ticket} reasonId={reasonId} />
          </SelfExclusion>
        </>
      )}
    </div>
  );
}
