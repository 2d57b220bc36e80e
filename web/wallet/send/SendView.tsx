import type { Coin } from "#core/money/coins.ts";

export default function SendView({ coin }: { coin: Coin }) {
  return <p>{coin}</p>;
}
