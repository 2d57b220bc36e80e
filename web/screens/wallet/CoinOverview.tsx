import { useIntl } from "react-intl";
import { getContractList } from "#api/routes/contracts.ts";
import { getWalletDetails } from "#api/routes/wallet.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { type Coin, coins } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Change } from "#ui/figures/Change.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Sparkline } from "#ui/figures/Sparkline.tsx";
import { shortWorth } from "#ui/figures/shortAmount.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { Skeleton, SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useDisplay } from "#web/lib/display.ts";
import { HideableAmount, useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { usePrice } from "#web/lib/stream.ts";
import { Actions } from "./Actions.tsx";
import { RecordList } from "./RecordList.tsx";
import { type LiveWallet, useWallet } from "./useWallet.ts";

/** One coin: its balance, what can be done with it, what that costs, and what happened. */
export function CoinOverview({ coin, withRecords }: { coin: Coin; withRecords: boolean }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [display] = useDisplay();
  const { wallet, error, retry } = useWallet(display);
  if (error && !wallet) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={retry}>{errorMessage(error)}</ErrorNote>
      </div>
    );
  }
  return (
    <>
      {wallet ? (
        <Head coin={coin} wallet={wallet} display={display} />
      ) : (
        <div className="px-4 py-2">
          <Skeleton width="12rem" height="2.5rem" />
        </div>
      )}
      <Actions coin={coin} />
      <Facts coin={coin} />
      {withRecords ? (
        <>
          <h2 className="mt-8 px-4 font-strong">{t("wallet.records")}</h2>
          <RecordList coin={coin} />
        </>
      ) : null}
    </>
  );
}

function Head({ coin, wallet, display }: { coin: Coin; wallet: LiveWallet; display: Coin }) {
  const t = useText();
  const [hidden] = useHideAmounts();
  const item = wallet.items.find((entry) => entry.coin === coin);
  const worth = wallet.valued.items.find((entry) => entry.coin === coin)?.worth ?? null;
  return (
    <section className="px-4 pt-1">
      <h2 className="text-small font-normal text-ink-soft">{t("wallet.available")}</h2>
      <p className="text-figure font-strong tracking-tight">
        <HideableAmount hidden={hidden}>
          <Amount value={item?.available ?? "0"} coin={coin} />
        </HideableAmount>
      </p>
      <p className="flex min-h-6 flex-wrap gap-x-4 text-small text-ink-soft">
        <span>
          {t("wallet.held")}{" "}
          <HideableAmount hidden={hidden}>
            <Amount value={item?.held ?? "0"} coin={coin} bare />
          </HideableAmount>
        </span>
        {coin === display ? null : (
          <span>
            {t("wallet.worth")}{" "}
            <HideableAmount hidden={hidden}>
              {worth === null ? (
                t("wallet.unpriced")
              ) : (
                <Amount value={shortWorth(worth, display)} coin={display} />
              )}
            </HideableAmount>
          </span>
        )}
      </p>
      <p className="mt-1 text-small text-ink-faint">
        {t("wallet.info.standsFor", { asset: coins[coin].standsFor })}
      </p>
    </section>
  );
}

/** Price, networks, withdrawal cost, and how much may still be recharged today. */
function Facts({ coin }: { coin: Coin }) {
  const { formatList } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const query = useApiQuery(getWalletDetails, { coin }, { refetchMs: 60_000 });
  const { data } = query;
  const pushedPrice = usePrice(data?.price?.symbol ?? "");
  if (query.error && !data) {
    return (
      <div className="p-4">
        <ErrorNote busy={query.isFetching} onRetry={() => void query.refetch()}>
          {errorMessage(query.error)}
        </ErrorNote>
      </div>
    );
  }
  if (!data) return <SkeletonRows count={4} />;
  return (
    <Section title={t("wallet.info.facts")}>
      {data.price ? (
        <Row
          label={t("wallet.info.price")}
          hint={t("wallet.why.check")}
          to="/verify?part=price"
          value={
            <>
              <span className="text-small text-ink-faint">{data.price.symbol}</span>{" "}
              <PriceText
                tint
                value={pushedPrice ? pushedPrice.price : data.price.price}
                scale={symbols[data.price.symbol].scale}
              />
            </>
          }
        />
      ) : null}
      {data.price ? <MarketLink symbol={data.price.symbol} /> : null}
      <Row
        label={t("wallet.info.networks")}
        value={formatList(data.networks, { type: "unit", style: "short" })}
      />
      <Row
        label={t("wallet.info.fee")}
        hint={t("wallet.info.feeFrom")}
        value={<Amount value={data.withdraw.fee} coin={coin} />}
      />
      <Row
        label={t("wallet.info.minimum")}
        hint={t("wallet.info.minimumAll")}
        value={
          data.withdraw.minimum === null ? (
            t("wallet.info.minimumNone")
          ) : (
            <Amount value={data.withdraw.minimum} coin={coin} />
          )
        }
      />
      <Row
        label={t("wallet.info.room")}
        hint={t("wallet.info.roomOf")}
        value={<Amount value={data.recharge_room} coin="pUSDT" />}
      />
    </Section>
  );
}

/** The coin's last day as a line, leading to its market; nothing where the market is not offered. */
function MarketLink({ symbol }: { symbol: MarketSymbol }) {
  const t = useText();
  const { data } = useApiQuery(getContractList, { type: "all" }, { staleMs: 60_000 });
  const contract = data?.items.find((item) => item.symbol === symbol);
  if (!contract) return null;
  return (
    <Row
      label={t("wallet.info.day")}
      hint={symbol}
      to={`/business?contract_id=${contract.contract_id}`}
      value={<Sparkline values={contract.spark} width={96} height={28} toned />}
      valueHint={<Change bp={contract.change_24h_bp} />}
    />
  );
}
