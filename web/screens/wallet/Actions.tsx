import {
  IconArrowBarUp,
  IconArrowDownLeft,
  IconArrowsExchange,
  IconArrowUpRight,
  IconPlus,
} from "@tabler/icons-react";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Link } from "#ui/router.tsx";
import { type WalletAction, walletActions } from "./views.ts";

const icons = {
  recharge: IconPlus,
  withdraw: IconArrowBarUp,
  exchange: IconArrowsExchange,
  send: IconArrowUpRight,
  receive: IconArrowDownLeft,
} satisfies Record<WalletAction, typeof IconPlus>;

/** The five actions on a coin, each an icon over its verb. */
export function Actions({ coin }: { coin: Coin }) {
  const t = useText();
  return (
    <nav aria-label={t("wallet.actions")} className="mt-6 px-2">
      <ul className="flex">
        {walletActions.map((action) => {
          const Icon = icons[action];
          return (
            <li key={action} className="min-w-0 flex-1">
              <Link
                to={`/wallet-info?coin=${coin}&do=${action}`}
                className="group flex flex-col items-center gap-1.5 rounded-dock py-1 text-center text-caption text-ink-soft"
              >
                <span className="grid size-12 place-items-center rounded-full border border-line bg-leaf text-signal-ink transition-colors group-hover:border-line-strong group-active:bg-well">
                  <Icon size={22} aria-hidden="true" />
                </span>
                <span className="w-full truncate">{t(`wallet.do.${action}`)}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
