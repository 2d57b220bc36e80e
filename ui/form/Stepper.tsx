import { IconMinus, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useText } from "#i18n/useText.ts";
import { usePressRepeat } from "#ui/form/usePressRepeat.ts";
import { IconButton } from "#ui/IconButton.tsx";

export interface StepperProps {
  /** The counted things, for assistive technology. */
  label: string;
  /**
   * One step down or up; the parent owns the value (a `bigint`, a decimal string) and its bounds.
   */
  onStep: (direction: -1 | 1) => void;
  canDecrease: boolean;
  canIncrease: boolean;
  /** The value between the buttons; without it, just the two buttons beside an input. */
  children?: ReactNode;
}

/** Decrease and increase buttons. Holding one repeats after 600 ms, then every 200 ms. */
export function Stepper({ label, onStep, canDecrease, canIncrease, children }: StepperProps) {
  const t = useText();
  return (
    <fieldset
      className="inline-flex items-center rounded-dock border border-line-strong"
      aria-label={label}
    >
      <StepButton
        label={t("ui.less", { what: label })}
        enabled={canDecrease}
        act={() => onStep(-1)}
      >
        <IconMinus size={18} aria-hidden="true" />
      </StepButton>
      {children ? (
        <output className="min-w-14 px-1 text-center font-strong">{children}</output>
      ) : (
        <span className="h-6 w-px bg-line" />
      )}
      <StepButton label={t("ui.more", { what: label })} enabled={canIncrease} act={() => onStep(1)}>
        <IconPlus size={18} aria-hidden="true" />
      </StepButton>
    </fieldset>
  );
}

function StepButton({
  label,
  enabled,
  act,
  children,
}: {
  label: string;
  enabled: boolean;
  act: () => void;
  children: ReactNode;
}) {
  const { start, stop } = usePressRepeat(() => {
    if (enabled) act();
  });
  return (
    <IconButton
      label={label}
      aria-disabled={!enabled}
      className={enabled ? "text-signal-ink" : "opacity-45"}
      onPointerDown={(event) => {
        if (event.button === 0) start();
      }}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onContextMenu={(event) => event.preventDefault()}
      onClick={(event) => {
        if (event.detail === 0 && enabled) act();
      }}
    >
      {children}
    </IconButton>
  );
}
