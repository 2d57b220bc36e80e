import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Row } from "#ui/Row.tsx";
import { useMedia } from "#ui/useMedia.ts";
import { BeliefField } from "#web/features/beliefs/BeliefField.tsx";
import { Odds } from "./Odds.tsx";
import { type ConfirmOrderProps, useOrderConfirmation } from "./useOrderConfirmation.tsx";

/**
 * On wide screens: the same confirmation inside the ticket, so that the chart stays in view. Enter
 * places the order and Escape leaves it; a key that is still held from before does neither. In a
 * low window, where the facts scroll, gain, loss and break-even are repeated before the button.
 */
export default function ConfirmOrderPanel(props: ConfirmOrderProps) {
  const { onClose, tier, quote } = props;
  const { heading, facts, notes, verb, back, place, isBusy, failure, belief } =
    useOrderConfirmation(props);
  const isLow = useMedia("(max-height: 30rem)");
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
  }, []);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat || isBusy || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") onClose();
    // On a button, Enter presses that button.
    if (event.key === "Enter" && document.activeElement === panel.current) place();
  });
  useEffect(() => {
    const element = panel.current;
    const onKeyDown = (event: KeyboardEvent) => onKey(event);
    element?.addEventListener("keydown", onKeyDown);
    return () => element?.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby="confirm-order"
      className="flex min-h-0 flex-1 flex-col outline-none"
    >
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-3">
        <h2 id="confirm-order" className="py-2 text-title">
          {heading}
        </h2>
        <div className="hairlines -mx-4 border-y border-line">
          {facts.map(({ label, hint, value, isOutcome }) => (
            <Row
              key={label}
              label={label}
              hint={hint}
              value={<span className={cx(isOutcome && "font-strong")}>{value}</span>}
              className="min-h-11 text-small"
            />
          ))}
        </div>
        {notes.map((note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sentences that never move
          <p key={index} className="mt-2 text-small text-ink-soft">
            {note}
          </p>
        ))}
        <BeliefField {...belief} />
      </div>
      <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
        {failure ? <ErrorNote>{failure}</ErrorNote> : null}
        {isLow ? <Odds tier={tier} quote={quote} showsStake /> : null}
        <div className={cx("flex gap-2", !isLow && "flex-col")}>
          <Button block busy={isBusy} onClick={place}>
            {verb}
          </Button>
          <Button block={!isLow} size="small" variant="quiet" disabled={isBusy} onClick={onClose}>
            {back}
          </Button>
        </div>
      </div>
    </section>
  );
}
