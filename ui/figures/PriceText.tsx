import { useState } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { formatNumber } from "#ui/figures/numbers.ts";

export interface PriceTextProps {
  /** Decimal string; null in a gap. */
  value: string | null | undefined;
  /** Fraction digits of this symbol. */
  scale: number;
  /** Tints the price briefly when it changes. */
  tint?: boolean;
  className?: string;
}

/** A market price. A gap is shown as such, not as the last known price. */
export function PriceText({ value, scale, tint, className }: PriceTextProps) {
  const { locale } = useIntl();
  const t = useText();
  const move = useMove(value ?? null);
  if (value === null || value === undefined) {
    return (
      <span className={cx("text-ink-faint", className)}>
        <span aria-hidden="true">—</span>
        <span className="sr-only">{t("ui.price.none")}</span>
      </span>
    );
  }
  return (
    <span className={cx("-mx-1 rounded-[4px] px-1 whitespace-nowrap", tint && move, className)}>
      {formatNumber(value, locale, scale)}
    </span>
  );
}

/** The tint class for the latest change; its number alternates so that the animation restarts. */
function useMove(value: string | null): string {
  const [move, setMove] = useState({ value, turn: 0, className: "" });
  if (value === move.value) return move.className;
  const turn = 1 - move.turn;
  const rose = value !== null && move.value !== null && Number(value) > Number(move.value);
  const className =
    value === null || move.value === null ? "" : `tint-${rose ? "rise" : "fall"}-${turn}`;
  setMove({ value, turn, className });
  return className;
}
