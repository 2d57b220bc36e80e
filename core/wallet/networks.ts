import type { Coin } from "#core/money/coins.ts";

/**
 * The practice networks and the coins that each carries. They stand for Ethereum, Tron and Bitcoin, whose mistakes can be made here
 * at no cost; none of them exists anywhere. Source: docs/rules/units.md, "Practice addresses".
 */
export const networks = {
  peth: { coins: ["pETH", "pUSDT", "pUSDC"] },
  ptron: { coins: ["pUSDT"] },
  pbtc: { coins: ["pBTC"] },
} as const satisfies Record<string, { coins: readonly Coin[] }>;

export type Network = keyof typeof networks;

export const networkNames = Object.keys(networks) as Network[];

/** Whether `name` is a practice network. */
export function isNetwork(name: string): name is Network {
  return Object.hasOwn(networks, name);
}

/** Whether `network` carries `coin`. */
export function carries(network: Network, coin: Coin): boolean {
  return (networks[network].coins as readonly Coin[]).includes(coin);
}

/** The networks that carry `coin`, in the order of the registry; never none. */
export function networksOf(coin: Coin): Network[] {
  return networkNames.filter((network) => carries(network, coin));
}
