import type { ComponentType } from "react";
import type { Coin } from "#core/money/coins.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** The actions on a coin, in the order of the action row. `/wallet-info?coin=&do=` names one. */
export const walletActions = ["recharge", "withdraw", "exchange", "send", "receive"] as const;
export type WalletAction = (typeof walletActions)[number];

export function isWalletAction(text: string | null): text is WalletAction {
  return (walletActions as readonly (string | null)[]).includes(text);
}

/** The view of each, as a separate chunk with its own messages. */
export const actionViews: Readonly<Record<WalletAction, ComponentType<{ coin: Coin }>>> = {
  recharge: lazyComponent(
    () => import("#web/screens/wallet/recharge/RechargeView.tsx"),
    ["recharge"],
  ),
  withdraw: lazyComponent(
    () => import("#web/screens/wallet/withdraw/WithdrawView.tsx"),
    ["withdraw", "pin", "permissions"],
  ),
  exchange: lazyComponent(
    () => import("#web/screens/wallet/exchange/ExchangeView.tsx"),
    ["exchange"],
  ),
  send: lazyComponent(
    () => import("#web/screens/wallet/send/SendView.tsx"),
    ["send", "pin", "withdraw"],
  ),
  receive: lazyComponent(() => import("#web/screens/wallet/receive/ReceiveView.tsx"), ["send"]),
};
