import { type Coin, coins } from "#core/money/coins.ts";

/** A coin's plain mark: the p of practice and the coin's distinguishing letter, in a ring. */
export function CoinMark({ coin }: { coin: Coin }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-9 place-items-center rounded-full border border-line-strong bg-leaf text-caption font-strong text-ink-soft"
    >
      p{coins[coin].mark}
    </span>
  );
}
