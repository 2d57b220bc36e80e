import { useIntl } from "react-intl";
import type { WalletRecord } from "#api/records.ts";
import { getRecordList } from "#api/routes/records.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { sumDecimals } from "../records/sumDecimals.ts";

/** The last exchanges of the attempt, each leading to its receipt; nothing before the first. */
export function PastExchanges() {
  const t = useText();
  const { data } = useApiQuery(getRecordList, { type: "exchange", page: 1, page_size: 3 });
  if (!data || data.items.length === 0) return null;
  return (
    <Section
      title={t("exchange.past")}
      action={
        <Link
          to="/wallet-record?group=exchange"
          className="-mr-2 inline-flex min-h-11 items-center rounded-dock px-2 text-small text-signal-ink hover:underline"
        >
          {t("exchange.toRecords")}
        </Link>
      }
    >
      {data.items.map((record) => (
        <PastExchange key={record.journal_id} record={record} />
      ))}
    </Section>
  );
}

function PastExchange({ record: { journal_id: id, legs, at_ms: atMs } }: { record: WalletRecord }) {
  const { formatDate } = useIntl();
  // The fee is a separate posting, in the coin that was given.
  const total = (sign: "-" | "+") => {
    const matchingLegs = legs.filter(({ amount }) => amount.startsWith("-") === (sign === "-"));
    const coin = matchingLegs[0]?.coin;
    const amounts = matchingLegs.filter((leg) => leg.coin === coin).map(({ amount }) => amount);
    return coin ? <Amount value={sumDecimals(amounts, coin)} coin={coin} signed /> : null;
  };
  return (
    <Row
      to={`/verify?journal_id=${id}`}
      label={total("-")}
      hint={formatDate(atMs, { dateStyle: "medium", timeStyle: "short" })}
      value={total("+")}
    />
  );
}
