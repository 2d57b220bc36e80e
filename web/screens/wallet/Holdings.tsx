import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useIntl } from "react-intl";
import type { Balance } from "#api/wallet.ts";
import { type Coin, coins } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorth } from "#ui/figures/shortAmount.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { Skeleton, SkeletonRows } from "#ui/Skeleton.tsx";
import { DisplayAmount } from "#web/features/money/DisplayAmount.tsx";
import MoneyBar from "#web/features/money/MoneyBar.tsx";
import { type AccountView, useAccount } from "#web/features/money/useAccount.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useDisplay } from "#web/lib/display.ts";
import { HideableAmount, useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { Actions } from "./Actions.tsx";
import { CoinMark } from "./CoinMark.tsx";
import { DisplaySheet } from "./DisplaySheet.tsx";
import type { Worth } from "./liveWorth.ts";
import { ResultHistory } from "./ResultHistory.tsx";
import { type LiveWallet, useWallet } from "./useWallet.ts";
import { WorthSheet } from "./WorthSheet.tsx";

/** The total, its history, the actions, and every coin. */
export function Holdings() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [isHidden] = useHideAmounts();
  const [display] = useDisplay();
  const { user } = useSession();
  const { wallet, error, retry } = useWallet(display);
  const account = useAccount();
  if (error && !wallet) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={retry}>{errorMessage(error)}</ErrorNote>
      </div>
    );
  }
  if (!wallet || !account.query.data) return <HoldingsSkeleton />;
  const first = wallet.items.find(({ available }) => available !== "0")?.coin ?? "pUSDT";
  return (
    <>
      <Total wallet={wallet} display={display} hidden={isHidden} view={account.view} />
      <Actions coin={first} />
      {account.view ? <ResultHistory view={account.view} /> : null}
      <Section title={t("wallet.coins")}>
        {wallet.items.map((item, index) => (
          <CoinRow
            key={item.coin}
            item={item}
            worth={wallet.valued.items[index] ?? null}
            display={display}
            hidden={isHidden}
          />
        ))}
      </Section>
      <Section>
        <Row label={t("wallet.recordsAll")} to="/wallet-record" />
        <Row
          label={t("wallet.attempts")}
          hint={t("wallet.attempts.hint")}
          value={user ? t("wallet.attempts.number", { number: user.attempt_number }) : undefined}
          to="/wallet?do=attempts"
        />
      </Section>
      <p className="mt-6 px-4 text-small text-ink-soft">{t("wallet.practice")}</p>
    </>
  );
}

function HoldingsSkeleton() {
  return (
    <>
      <div className="px-4 py-2">
        <Skeleton width="12rem" height="2.5rem" />
      </div>
      <SkeletonRows />
    </>
  );
}

function Total({
  wallet,
  display,
  hidden,
  view,
}: {
  wallet: LiveWallet;
  display: Coin;
  hidden: boolean;
  view: AccountView | null;
}) {
  const t = useText();
  const [sheet, setSheet] = useState<"why" | "display" | null>(null);
  const total = view ? view.inDisplay(view.result.total) : null;
  const close = () => setSheet(null);
  return (
    <section className="px-4 pt-1">
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h2 className="text-small font-normal text-ink-soft">{t("results.total")}</h2>
        <button
          type="button"
          onClick={() => setSheet("display")}
          className="-mr-2 inline-flex min-h-11 items-center gap-1 rounded-dock px-2 text-small text-signal-ink"
        >
          <span className="sr-only">{t("wallet.display")}: </span>
          {display}
          <IconChevronDown size={16} aria-hidden="true" />
        </button>
      </div>
      <button
        type="button"
        disabled={hidden}
        onClick={() => setSheet("why")}
        className="-mx-2 block w-[calc(100%+16px)] rounded-dock px-2 text-left"
      >
        <span className="block text-figure font-strong tracking-tight">
          <HideableAmount hidden={hidden}>
            {total === null ? "—" : <Amount value={shortWorth(total, display)} coin={display} />}
          </HideableAmount>
        </span>
        <PricedAt atMs={wallet.pricedAtMs} priced={total !== null} />
      </button>
      {view ? (
        <>
          <p className="flex min-h-8 items-center justify-between gap-3 text-small">
            <span className="text-ink-soft">{t("results.result.since")}</span>
            <span className="font-strong">
              <DisplayAmount view={view} value={view.result.result} signed />
            </span>
          </p>
          <MoneyBar view={view} />
        </>
      ) : null}
      <WorthSheet open={sheet === "why"} onClose={close} wallet={wallet} display={display} />
      <DisplaySheet open={sheet === "display"} onClose={close} />
    </section>
  );
}

/** When the prices behind the total were taken; opens how it was computed. */
function PricedAt({ atMs, priced }: { atMs: number | null; priced: boolean }) {
  const { formatTime } = useIntl();
  const t = useText();
  return (
    <span className="flex min-h-6 flex-wrap items-center gap-x-2 text-small text-ink-faint">
      <span>
        {atMs === null || !priced
          ? t("wallet.totalUnpriced")
          : t("wallet.totalAt", { time: formatTime(atMs, { timeStyle: "medium" }) })}
      </span>
      <span className="text-signal-ink">{t("wallet.why")}</span>
    </span>
  );
}

function CoinRow({
  item,
  worth,
  display,
  hidden,
}: {
  item: Balance;
  worth: Worth | null;
  display: Coin;
  hidden: boolean;
}) {
  const t = useText();
  const isHeld = item.held !== "0";
  return (
    <Row
      leading={<CoinMark coin={item.coin} />}
      label={<span className="font-strong">{item.coin}</span>}
      hint={
        isHeld ? (
          <HideableAmount hidden={hidden}>
            {t("wallet.held")} <Amount value={item.held} coin={item.coin} bare />
          </HideableAmount>
        ) : (
          t("wallet.practiceOf", { asset: coins[item.coin].standsFor })
        )
      }
      value={
        <HideableAmount hidden={hidden}>
          <Amount value={item.available} coin={item.coin} bare />
        </HideableAmount>
      }
      valueHint={
        <HideableAmount hidden={hidden}>
          {worth === null || worth.worth === null ? (
            t("wallet.unpriced")
          ) : (
            <Amount value={shortWorth(worth.worth, display)} coin={display} />
          )}
        </HideableAmount>
      }
      to={`/wallet-info?coin=${item.coin}`}
    />
  );
}
