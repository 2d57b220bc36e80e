import type { Coin } from "#core/money/coins.ts";

/** A coin as a plain mark: its first letters in a ring. */
export function CoinMark({ coin }: { coin: Coin }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-9 place-items-center rounded-full border border-line-strong bg-leaf text-caption font-strong text-ink-soft"
    >
      {coin.slice(1, 3)}
    </span>
  );
}
