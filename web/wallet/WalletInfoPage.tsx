import { useIntl } from "react-intl";
import { Link, useSearchParams } from "react-router";
import { getWalletList } from "#api/wallet.ts";
import { type Coin, coins, isCoin } from "#core/money/coins.ts";
import { Amount } from "#ui/Amount.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";
import { Hideable, useHidden } from "./hidden.tsx";
import { RecordList } from "./RecordList.tsx";
import { SignedIn } from "./SignedIn.tsx";
import { useBalanceUpdates } from "./useBalanceUpdates.ts";

/** `/wallet-info?coin=`: one coin with what is available and held, and its records. */
export default function WalletInfoPage() {
  const { formatMessage } = useIntl();
  const [query] = useSearchParams();
  const coin = query.get("coin") ?? "";
  if (!isCoin(coin)) {
    return (
      <Page title={formatMessage({ id: "wallet.title" })} back="/wallet">
        <Empty
          drawing={<EmptyDockDrawing />}
          title={formatMessage({ id: "wallet.info.unknown" })}
          action={
            <Link to="/wallet" className={buttonClass({ variant: "outline" })}>
              {formatMessage({ id: "wallet.info.toWallet" })}
            </Link>
          }
        />
      </Page>
    );
  }
  return (
    <Page title={coin} back="/wallet">
      <SignedIn>
        <CoinBalance coin={coin} />
        <h2 className="mt-8 px-4 font-strong">{formatMessage({ id: "wallet.records" })}</h2>
        <RecordList key={coin} coin={coin} />
      </SignedIn>
    </Page>
  );
}

function CoinBalance({ coin }: { coin: Coin }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const [hidden] = useHidden();
  const wallet = useCall(getWalletList, {});
  useBalanceUpdates();
  if (wallet.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void wallet.refetch()}>{sentence(wallet.error)}</ErrorNote>
      </div>
    );
  }
  if (!wallet.data) return <SkeletonRows count={3} />;
  const item = wallet.data.items.find((balance) => balance.coin === coin);
  const zero = "0";
  const row = (id: string, value: string) => (
    <Row
      label={formatMessage({ id })}
      value={
        <Hideable hidden={hidden}>
          <Amount value={value} coin={coin} alignDigits={2} />
        </Hideable>
      }
    />
  );
  return (
    <>
      <p className="px-4 text-small text-ink-soft">
        {formatMessage({ id: "wallet.info.standsFor" }, { asset: coins[coin].standsFor })}
      </p>
      <Section>
        {row("wallet.available", item?.available ?? zero)}
        {row("wallet.held", item?.held ?? zero)}
        <Row
          label={formatMessage({ id: "wallet.worth" })}
          value={
            <Hideable hidden={hidden}>
              {item?.value ? (
                <Amount value={item.value} coin={wallet.data.display_currency} alignDigits={2} />
              ) : (
                formatMessage({ id: "wallet.unpriced" })
              )}
            </Hideable>
          }
        />
      </Section>
    </>
  );
}
