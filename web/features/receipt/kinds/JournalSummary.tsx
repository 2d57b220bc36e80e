import { useIntl } from "react-intl";
import { sumFillCosts } from "#core/market/fillCosts.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { FillCosts } from "#web/features/fill-costs/FillCosts.tsx";
import type { JournalDetail } from "#web/features/receipt/kinds/journalKind.ts";

/** A journal's receipt, alongside the recomputed values: each leg, and the balance it left. */
export function JournalSummary({ detail }: { detail: JournalDetail }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { exchange } = detail;
  const { journal, legs, house, others, accounts } = detail.receipt;
  return (
    <>
      <Section title={t("receipt.journal")}>
        <Row
          label={t("receipt.journal.kind")}
          value={<span className="font-mono text-small">{journal.kind}</span>}
        />
        <Row
          label={t("receipt.journal.time")}
          value={formatDate(journal.at_ms, { dateStyle: "medium", timeStyle: "medium" })}
        />
        <Row
          label={t("receipt.journal.id")}
          value={<Hash value={journal.id} label={t("receipt.journal.id")} />}
        />
      </Section>
      <Section title={t("receipt.journal.own")}>
        {legs.map(({ leg, account, amount, balance }) => {
          const owned = accounts.find((receiptAccount) => receiptAccount.account === account);
          if (!owned) return null;
          return (
            <Row
              key={leg}
              label={t(`receipt.journal.account.${owned.kind}`)}
              hint={t("receipt.journal.balance")}
              value={<Amount value={BigInt(amount)} coin={owned.coin} signed />}
              valueHint={<Amount value={BigInt(balance)} coin={owned.coin} />}
            />
          );
        })}
      </Section>
      {exchange ? (
        <FillCosts
          of="exchange"
          coin={exchange.coin}
          from={exchange.atIndex}
          to={exchange.atIndex - sumFillCosts(exchange.costs)}
          costs={exchange.costs}
          delay="not_in_receipt"
        />
      ) : null}
      {house.length + others.length > 0 ? (
        <Section title={t("receipt.journal.rest")} note={t("receipt.journal.rest.note")}>
          {house.map(({ kind, coin, amount }) => (
            <Row
              key={`${kind} ${coin}`}
              label={t("receipt.journal.house")}
              hint={<span className="font-mono">{kind}</span>}
              value={<Amount value={BigInt(amount)} coin={coin} signed />}
            />
          ))}
          {others.map(({ coin, amount }) => (
            <Row
              key={coin}
              label={t("receipt.journal.others")}
              value={<Amount value={BigInt(amount)} coin={coin} signed />}
            />
          ))}
        </Section>
      ) : null}
    </>
  );
}
