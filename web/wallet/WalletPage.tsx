import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import { type Balance, getWalletList } from "#api/wallet.ts";
import { coins } from "#core/money/coins.ts";
import { Amount } from "#ui/Amount.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Page } from "#ui/Page.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { Skeleton, SkeletonRows } from "#ui/Skeleton.tsx";
import { useWide } from "#ui/useWide.ts";
import { useSession } from "#web/app/session/useSession.ts";
import { useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";
import { CoinMark } from "./CoinMark.tsx";
import { Hideable, useHidden } from "./hidden.tsx";
import { RecordList } from "./RecordList.tsx";
import { SignedIn } from "./SignedIn.tsx";
import { useBalanceUpdates } from "./useBalanceUpdates.ts";

/** `/wallet`: every coin and what they are worth together; where there is room, the records beside them. */
export default function WalletPage() {
  const { formatMessage } = useIntl();
  const [hidden, setHidden] = useHidden();
  const { status } = useSession();
  const wide = useWide();
  return (
    <Page
      title={formatMessage({ id: "wallet.title" })}
      side={
        wide && status === "signed_in" ? (
          <section>
            <h2 className="px-4 pt-3 font-strong">{formatMessage({ id: "wallet.records" })}</h2>
            <RecordList coin={null} />
          </section>
        ) : undefined
      }
      actions={
        <IconButton
          label={formatMessage({ id: hidden ? "wallet.show" : "wallet.hide" })}
          onClick={() => setHidden(!hidden)}
        >
          {hidden ? (
            <IconEyeOff size={20} aria-hidden="true" />
          ) : (
            <IconEye size={20} aria-hidden="true" />
          )}
        </IconButton>
      }
    >
      <SignedIn>
        <Coins hidden={hidden} />
      </SignedIn>
    </Page>
  );
}

function Coins({ hidden }: { hidden: boolean }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const wallet = useCall(getWalletList, {});
  useBalanceUpdates();
  if (wallet.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void wallet.refetch()}>{sentence(wallet.error)}</ErrorNote>
      </div>
    );
  }
  if (!wallet.data) {
    return (
      <>
        <div className="px-4 py-2">
          <Skeleton width="12rem" height="2.5rem" />
        </div>
        <SkeletonRows />
      </>
    );
  }
  const { items, total, display_currency: display, priced_at_ms: pricedAtMs } = wallet.data;
  return (
    <>
      <section className="px-4 pt-1">
        <h2 className="text-small text-ink-soft">{formatMessage({ id: "wallet.total" })}</h2>
        <p className="text-figure font-strong tracking-tight">
          <Hideable hidden={hidden}>
            {total === null ? "—" : <Amount value={total} coin={display} />}
          </Hideable>
        </p>
        <PricedAt atMs={pricedAtMs} />
      </section>
      <Section title={formatMessage({ id: "wallet.coins" })}>
        {items.map((item) => (
          <CoinRow key={item.coin} item={item} display={display} hidden={hidden} />
        ))}
      </Section>
      <Section>
        <Row label={formatMessage({ id: "wallet.recordsAll" })} to="/wallet-record" />
      </Section>
      <p className="mt-6 px-4 text-small text-ink-soft">
        {formatMessage({ id: "wallet.practice" })}
      </p>
    </>
  );
}

/** When the prices behind the total were taken. */
function PricedAt({ atMs }: { atMs: number | null }) {
  const { formatMessage, formatTime } = useIntl();
  return (
    <p className="text-caption text-ink-faint">
      {atMs === null
        ? formatMessage({ id: "wallet.totalUnpriced" })
        : formatMessage(
            { id: "wallet.totalAt" },
            { time: formatTime(atMs, { timeStyle: "medium" }) },
          )}
    </p>
  );
}

function CoinRow({
  item,
  display,
  hidden,
}: {
  item: Balance;
  display: Balance["coin"];
  hidden: boolean;
}) {
  const { formatMessage } = useIntl();
  return (
    <Row
      leading={<CoinMark coin={item.coin} />}
      label={<span className="font-strong">{item.coin}</span>}
      hint={formatMessage({ id: "wallet.practiceOf" }, { asset: coins[item.coin].standsFor })}
      value={
        <Hideable hidden={hidden}>
          <Amount value={item.available} coin={item.coin} bare />
        </Hideable>
      }
      valueHint={
        <Hideable hidden={hidden}>
          {item.value === null ? (
            formatMessage({ id: "wallet.unpriced" })
          ) : (
            <Amount value={item.value} coin={display} />
          )}
        </Hideable>
      }
      to={`/wallet-info?coin=${item.coin}`}
    />
  );
}
