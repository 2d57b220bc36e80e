import type { ReactNode } from "react";
import { type Coin, coinCodes, isCoin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Page } from "#ui/Page.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { usePanes } from "#ui/useWide.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { CoinOverview } from "./CoinOverview.tsx";
import { RecordList } from "./RecordList.tsx";
import { SignedIn } from "./SignedIn.tsx";
import { useBalanceUpdates } from "./useBalanceUpdates.ts";
import { actionViews, isWalletAction, type WalletAction } from "./views.ts";

/** `/wallet-info?coin=`: one coin; with `do=` one of its actions. */
export default function WalletInfoPage() {
  const t = useText();
  const [query] = useSearchParams();
  const coin = query.get("coin") ?? "";
  const action = query.get("do");
  const panes = usePanes();
  const { status } = useSession();
  useBalanceUpdates();
  if (!isCoin(coin)) {
    return (
      <Page title={t("wallet.title")} back="/wallet">
        <Empty
          drawing={<EmptyDockDrawing />}
          title={t("wallet.info.unknown")}
          action={
            <Link to="/wallet" className={buttonClass({ variant: "outline" })}>
              {t("wallet.info.toWallet")}
            </Link>
          }
        />
      </Page>
    );
  }
  const sideContent =
    panes && status === "signed_in" ? (
      <SideRecords coin={coin} attemptId={query.get("attempt_id") ?? undefined} />
    ) : undefined;
  if (isWalletAction(action)) return <ActionPage coin={coin} doing={action} side={sideContent} />;
  return (
    <Page title={coin} back="/wallet" side={sideContent}>
      <SignedIn>
        <CoinOverview key={coin} coin={coin} withRecords={!panes} />
      </SignedIn>
    </Page>
  );
}

/** The coin's records, on wide screens. */
function SideRecords({ coin, attemptId }: { coin: Coin; attemptId: string | undefined }) {
  const t = useText();
  return (
    <section>
      <h2 className="px-4 pt-3 font-strong">{t("wallet.records")}</h2>
      <RecordList key={coin} coin={coin} {...(attemptId === undefined ? {} : { attemptId })} />
    </section>
  );
}

interface ActionPageProps {
  coin: Coin;
  doing: WalletAction;
  side: ReactNode;
}

function ActionPage({ coin, doing: action, side }: ActionPageProps) {
  const t = useText();
  const [query, setQuery] = useSearchParams();
  const View = actionViews[action];
  const choose = (next: Coin) => {
    const nextQuery = new URLSearchParams(query);
    nextQuery.set("coin", next);
    setQuery(nextQuery, { replace: true });
  };
  return (
    <Page
      title={t(`wallet.do.title.${action}`, { coin })}
      back={`/wallet-info?coin=${coin}`}
      side={side}
    >
      <SignedIn>
        <div className="px-4 pt-1 pb-3">
          <Segmented
            label={t("wallet.coin")}
            value={coin}
            onChange={choose}
            options={coinCodes.map((code) => ({ value: code, label: code }))}
          />
        </div>
        <View key={`${action} ${coin}`} coin={coin} />
      </SignedIn>
    </Page>
  );
}
