import { type ReactNode, useEffect, useRef } from "react";
import type { Coin } from "#core/money/coins.ts";
import { CountingAmount } from "#ui/figures/CountingAmount.tsx";
import { motionIsOff } from "#ui/figures/useCounting.ts";
import { computeWaterOffset, endingMs, type Outcome } from "#web/features/result/endings.ts";

export interface ResultEndingProps {
  outcome: Outcome;
  /** The outcome in words: "Won", "Lost". */
  title: ReactNode;
  /** The total gain or loss, fee included; minor units or decimal, signed. */
  net: bigint | string;
  coin: Coin;
  /**
   * True for a result that has just arrived: the ending plays once. Otherwise it shows the final
   * state.
   */
  isNew?: boolean;
}

/**
 * How an order ended: a hull that floats higher after a win and settles on its blocks after a loss.
 * Both have the same size, duration and distance, and do not move where less motion is preferred.
 */
export default function ResultEnding({
  outcome,
  title,
  net,
  coin,
  isNew: fresh = false,
}: ResultEndingProps) {
  return (
    <div className="flex items-center gap-4">
      <Dock outcome={outcome} isNew={fresh} />
      <p className="min-w-0">
        <span className="block text-small text-ink-soft">{title}</span>
        <span className="block text-title font-strong">
          <CountingAmount value={net} coin={coin} signed toned fromZero={fresh} />
        </span>
      </p>
    </div>
  );
}

function Dock({ outcome, isNew }: { outcome: Outcome; isNew: boolean }) {
  const floatingGroup = useRef<SVGGElement>(null);
  const end = computeWaterOffset(outcome);
  useEffect(() => {
    if (!isNew || end === 0 || motionIsOff()) return;
    const moving = floatingGroup.current?.animate(
      [{ transform: "translateY(0)" }, { transform: `translateY(${end}px)` }],
      { duration: endingMs, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" },
    );
    return () => moving?.cancel();
  }, [end, isNew]);
  return (
    <svg
      viewBox="0 0 96 64"
      className="h-16 w-24 shrink-0 text-ink-soft"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {/* The dock: two walls and a floor with the blocks a hull rests on. */}
      <path d="M6 8v50h84V8M36 58v-4h6v4M54 58v-4h6v4" />
      <g ref={floatingGroup} style={{ transform: `translateY(${end}px)` }}>
        <path d="M22 27h52l-6 18H30zM48 27V13l13 14" />
        <path d="M8 37h15M73 37h15" className="text-ink-faint" strokeDasharray="5 3" />
      </g>
    </svg>
  );
}
