import { useIntl } from "react-intl";
import { Link } from "react-router";
import type { WalletRecord } from "#api/records.ts";
import { getRecordList } from "#api/routes/records.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

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
  const given = legs.find(({ amount }) => amount.startsWith("-"));
  const received = legs.find(({ amount }) => !amount.startsWith("-"));
  return (
    <Row
      to={`/verify?journal_id=${id}`}
      label={given ? <Amount value={given.amount} coin={given.coin} signed /> : null}
      hint={formatDate(atMs, { dateStyle: "medium", timeStyle: "short" })}
      value={received ? <Amount value={received.amount} coin={received.coin} signed /> : null}
    />
  );
}
