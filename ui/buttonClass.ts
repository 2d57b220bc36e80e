import { cx } from "#ui/cx.ts";

/**
 * `primary` is the main action of a screen; `outline` a secondary one; `quiet` looks like plain
 * text; `rise` and `fall` are the two directions of an order; `danger` cannot be undone.
 */
type ButtonVariant = "primary" | "outline" | "quiet" | "rise" | "fall" | "danger";
type ButtonSize = "large" | "small";

export interface ButtonLook {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** Takes the full width of its column. */
  block?: boolean | undefined;
}

const variants: Record<ButtonVariant, string> = {
  primary: "bg-signal text-on-signal active:bg-signal-down hover:bg-signal-down",
  outline: "border border-line-strong text-signal-ink active:bg-well hover:bg-leaf",
  quiet: "text-signal-ink active:bg-well hover:bg-signal-wash",
  rise: "bg-rise text-on-result active:opacity-85 hover:opacity-90",
  fall: "bg-fall text-on-result active:opacity-85 hover:opacity-90",
  danger: "border border-flare text-flare active:bg-flare-wash hover:bg-flare-wash",
};

/** Class names of a button; also for a `Link` that looks like one. */
export function buttonClass({
  variant = "primary",
  size = "large",
  block,
}: ButtonLook = {}): string {
  return cx(
    "inline-flex items-center justify-center gap-2 rounded-dock text-center font-strong select-none",
    "transition-colors disabled:opacity-45 aria-disabled:not-aria-busy:opacity-45 forced-colors:border",
    size === "large" ? "min-h-12 px-5 py-2 text-body" : "min-h-11 px-3.5 py-1.5 text-small",
    block && "w-full",
    variants[variant],
  );
}
