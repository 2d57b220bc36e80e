import { IconChevronUp } from "@tabler/icons-react";
import { useId } from "react";
import { stakeCoin } from "#core/contracts/stake.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { SelfExclusion } from "#web/features/limits/SelfExclusion.tsx";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { useDuration } from "../format.ts";
import { DirectionButtons } from "./DirectionButtons.tsx";
import { Odds } from "./Odds.tsx";
import { parseStakeOrZero } from "./stake.ts";
import { TicketReason } from "./TicketReason.tsx";
import type { Ticket } from "./useTicket.ts";

/**
 * On a phone: stake, tier, both outcomes, break-even, Up and Down, always at the foot of the screen,
 * within reach of the thumb. The stake and the tier open their fields.
 */
export function TicketBar({ ticket, onFields }: { ticket: Ticket; onFields: () => void }) {
  const t = useText();
  const reasonId = useId();
  const isOff = useConfig()?.contracts_on === false;
  return (
    <section
      aria-label={t("contracts.ticket.title")}
      data-dock=""
      className="fixed inset-x-0 bottom-(--foot) z-10 border-t border-line bg-paper"
    >
      <div className="mx-auto flex max-w-120 flex-col gap-2 px-4 py-2">
        {isOff ? (
          <p className="py-2 text-small text-warning">{t("contracts.ticket.off")}</p>
        ) : (
          <>
            <Odds tier={ticket.tier} quote={ticket.quote} />
            <SelfExclusion>
              <TicketReason ticket={ticket} id={reasonId} />
              <div className="flex gap-2">
                <FieldsButton ticket={ticket} onClick={onFields} />
                <DirectionButtons ticket={ticket} reasonId={reasonId} />
              </div>
            </SelfExclusion>
          </>
        )}
      </div>
    </section>
  );
}

/** Shows stake and tier with the orders left today, and opens their fields. */
function FieldsButton({ ticket, onClick }: { ticket: Ticket; onClick: () => void }) {
  const t = useText();
  const duration = useDuration();
  const { tier, typed } = ticket;
  const ordersLeft = tier.orders_left_today;
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-12 min-w-0 shrink-0 items-center gap-1 rounded-dock border border-line-strong px-3 text-left hover:bg-leaf active:bg-well"
    >
      <span className="sr-only">{t("contracts.ticket.change")}</span>
      <span className="flex min-w-0 flex-col">
        <span className="text-small font-strong whitespace-nowrap">
          <Amount value={parseStakeOrZero(typed)} coin={stakeCoin} bare /> ·{" "}
          {duration(tier.seconds)}
        </span>
        {/* Both texts take up their room, so that Up and Down stay where they are. */}
        <span className="grid text-caption whitespace-nowrap text-ink-soft">
          <span className={cx("col-start-1 row-start-1", ordersLeft !== null && "invisible")}>
            {t("contracts.ticket.fields")}
          </span>
          <span className={cx("col-start-1 row-start-1", ordersLeft === null && "invisible")}>
            {t("contracts.ticket.leftToday", { left: ordersLeft ?? 0 })}
          </span>
        </span>
      </span>
      <IconChevronUp size={16} className="shrink-0 text-signal-ink" aria-hidden="true" />
    </button>
  );
}
