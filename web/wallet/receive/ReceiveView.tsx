import type { Coin } from "#core/money/coins.ts";

export default function ReceiveView({ coin }: { coin: Coin }) {
  return <p>{coin}</p>;
}
