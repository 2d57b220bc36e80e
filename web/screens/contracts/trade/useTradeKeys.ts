import { useEffect, useEffectEvent } from "react";
import type { Ticket } from "./useTicket.ts";

export interface TradeKeys {
  isOn: boolean;
  ticket: Ticket | null;
  openKeys: () => void;
}

/**
 * Keys of the trade screen: U and D press Up and Down, 1 to 5 choose a tier, ? lists the keys. They
 * do nothing while someone types or a sheet is open, with a modifier, or while a key is held; and
 * they can be switched off (WCAG 2.1.4).
 */
export function useTradeKeys({ isOn, ticket, openKeys }: TradeKeys): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || isForAnother(event)) return;
    if (event.key === "?") openKeys();
    else if (!isOn || !ticket || ticket.confirming !== null) return;
    else if (/^[ud]$/i.test(event.key)) {
      if (ticket.blocked === null) ticket.press(event.key.toLowerCase() === "u" ? "up" : "down");
    } else {
      const tier = /^[1-9]$/.test(event.key) ? ticket.tiers[Number(event.key) - 1] : undefined;
      if (!tier || tier.orders_left_today === 0) return;
      ticket.chooseTier(tier.seconds);
    }
    event.preventDefault();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => act(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

const isTyping = "input:not([type=radio]), textarea, select, [contenteditable=true]";

/** Returns true if a key belongs to the browser, to a field or to an open sheet. */
function isForAnother(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (event.target instanceof Element && event.target.closest(isTyping)) return true;
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}
