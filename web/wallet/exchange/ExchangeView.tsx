import type { Coin } from "#core/money/coins.ts";

export default function ExchangeView({ coin }: { coin: Coin }) {
  return <p>{coin}</p>;
}
