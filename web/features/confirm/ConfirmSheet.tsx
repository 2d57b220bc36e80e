import type { ReactNode } from "react";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { PinSheet } from "#web/features/pin/PinSheet.tsx";
import type { PinAction } from "#web/features/pin/usePinAction.ts";

interface Fact {
  label: string;
  hint?: ReactNode;
  value: ReactNode;
  /**
   * An amount paid, won or lost. All of these have the same size, so that a cost never looks
   * smaller than a gain.
   */
  isOutcome?: boolean;
}

interface ConfirmSheetProps {
  title: ReactNode;
  /** Choices still to be made here, above the facts. */
  children?: ReactNode;
  facts?: readonly Fact[];
  /** Where the money goes, in full, and what is known about it. */
  destination?: { label: string; address: string; notes?: ReactNode };
  /** Sentences that must not be missed. */
  warnings?: readonly ReactNode[];
  /** Explanatory sentences. */
  notes?: readonly ReactNode[];
  /** An optional text below all of it. */
  after?: ReactNode;
  /** The confirm button; null when there is nothing to confirm. */
  action: { verb: string; run: () => void; isDanger?: boolean; disabled?: boolean } | null;
  /** Label of the cancel button. */
  back: string;
  busy: boolean;
  failure: string | null;
  /** Present when the server may ask for the PIN (`usePinAction`). */
  pinned?: PinAction;
  onClose: () => void;
}

/**
 * Restates what happens to the money and carries it out on confirmation. A failure is shown next to
 * the button; the sheet cannot be closed while the call is running.
 */
export function ConfirmSheet(props: ConfirmSheetProps) {
  const {
    title,
    children,
    facts = [],
    after,
    action,
    back,
    busy,
    failure,
    pinned,
    onClose,
  } = props;
  return (
    <>
      <Sheet
        open
        onOpenChange={(open) => {
          if (!open && !busy) onClose();
        }}
        title={title}
        actions={
          <>
            {failure ? <ErrorNote>{failure}</ErrorNote> : null}
            {action ? (
              <Button
                block
                variant={action.isDanger ? "danger" : undefined}
                busy={busy}
                disabled={action.disabled}
                onClick={action.run}
              >
                {action.verb}
              </Button>
            ) : null}
            <Button block variant="quiet" disabled={busy} onClick={onClose}>
              {back}
            </Button>
          </>
        }
      >
        {children}
        {facts.length > 0 ? (
          <div
            className={cx("hairlines -mx-4 border-y border-line", Boolean(children) && "mt-4")}
            // The facts change with what is typed above them.
            aria-live={children ? "polite" : undefined}
          >
            {facts.map((fact) => (
              <FactRow key={fact.label} fact={fact} />
            ))}
          </div>
        ) : null}
        <WarningsAndNotes {...props} />
        {after}
      </Sheet>
      {pinned ? (
        <PinSheet
          open={pinned.pin.isAsking}
          onOpenChange={(open) => {
            if (!open) pinned.pin.close();
          }}
          onPin={(pin) => void pinned.go(pin)}
          busy={busy}
          error={pinned.pin.error}
        />
      ) : null}
    </>
  );
}

function FactRow({ fact: { label, hint, value, isOutcome } }: { fact: Fact }) {
  return (
    <Row
      label={label}
      hint={hint}
      value={<span className={cx(isOutcome && "font-strong")}>{value}</span>}
      className="min-h-12"
    />
  );
}

function WarningsAndNotes({ destination, warnings = [], notes = [] }: ConfirmSheetProps) {
  return (
    <>
      {destination ? (
        <>
          <p className="mt-4 text-small text-ink-soft">{destination.label}</p>
          <p className="mt-1 font-mono text-body break-all">{destination.address}</p>
          {destination.notes ? <div className="mt-2">{destination.notes}</div> : null}
        </>
      ) : null}
      <Paragraphs paragraphs={warnings} className="text-body" />
      <Paragraphs paragraphs={notes} className="text-small text-ink-soft" />
    </>
  );
}

function Paragraphs({
  paragraphs,
  className,
}: {
  paragraphs: readonly ReactNode[];
  className: string;
}) {
  return paragraphs.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no other identity and never move
    <p key={index} className={cx(index === 0 ? "mt-4" : "mt-2", className)}>
      {text}
    </p>
  ));
}
