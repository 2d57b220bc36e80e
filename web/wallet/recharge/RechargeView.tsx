import type { Coin } from "#core/money/coins.ts";

export default function RechargeView({ coin }: { coin: Coin }) {
  return <p>{coin}</p>;
}
