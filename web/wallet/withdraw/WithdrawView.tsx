import type { Coin } from "#core/money/coins.ts";

export default function WithdrawView({ coin }: { coin: Coin }) {
  return <p>{coin}</p>;
}
