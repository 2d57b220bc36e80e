import { useIntl } from "react-intl";
import { useSearchParams } from "react-router";
import { coinCodes, isCoin } from "#core/money/coins.ts";
import { Chip } from "#ui/Chip.tsx";
import { Page } from "#ui/Page.tsx";
import { RecordList } from "./RecordList.tsx";
import { SignedIn } from "./SignedIn.tsx";
import { useBalanceUpdates } from "./useBalanceUpdates.ts";

/** `/wallet-record`: every posting that touched the wallet, by day. */
export default function WalletRecordPage() {
  const { formatMessage } = useIntl();
  const [query, setQuery] = useSearchParams();
  const asked = query.get("coin") ?? "";
  const coin = isCoin(asked) ? asked : null;
  useBalanceUpdates();
  return (
    <Page title={formatMessage({ id: "wallet.record.title" })} back="/wallet">
      <SignedIn>
        <fieldset
          aria-label={formatMessage({ id: "wallet.record.filter" })}
          className="flex min-w-0 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] *:shrink-0"
        >
          <Chip selected={coin === null} onClick={() => setQuery({}, { replace: true })}>
            {formatMessage({ id: "wallet.record.allCoins" })}
          </Chip>
          {coinCodes.map((code) => (
            <Chip
              key={code}
              selected={coin === code}
              onClick={() => setQuery({ coin: code }, { replace: true })}
            >
              {code}
            </Chip>
          ))}
        </fieldset>
        <RecordList key={coin} coin={coin} />
      </SignedIn>
    </Page>
  );
}
