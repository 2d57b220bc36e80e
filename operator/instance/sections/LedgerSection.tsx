import { useIntl } from "react-intl";
import type { InstanceView } from "#api/operator/instance.ts";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { unequal } from "#operator/instance/judge.ts";
import { State } from "#operator/instance/State.tsx";
import { Table } from "#operator/instance/Table.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** The sums of all accounts, what the last audit found, and the house's own accounts. */
export function LedgerPart({ view: { ledger } }: { view: InstanceView }) {
  const { formatMessage } = useIntl();
  const { count } = useFigures();
  const text = (id: string) => formatMessage({ id });
  const off = new Set(unequal(ledger).map(({ coin }) => coin));
  return (
    <>
      <Section
        title={text("instance.trial")}
        note={text("instance.trialNote")}
        action={<ExportLink table="trial_balance" title={text("instance.trial")} />}
      >
        <Table
          label={text("instance.trial")}
          rows={ledger.trial}
          keyOf={({ coin }) => coin}
          columns={[
            { id: "coin", head: text("instance.coin"), cell: ({ coin }) => coin },
            {
              id: "people",
              head: text("instance.people"),
              end: true,
              cell: ({ coin, people }) => <Amount value={people} coin={coin} bare />,
            },
            {
              id: "house",
              head: text("instance.house"),
              end: true,
              cell: ({ coin, house }) => <Amount value={house} coin={coin} bare />,
            },
            {
              id: "total",
              head: text("instance.sum"),
              end: true,
              cell: ({ coin, total }) => (
                <State judgement={off.has(coin) ? "bad" : "good"}>
                  {off.has(coin) ? <Amount value={total} coin={coin} signed bare /> : "0"}
                </State>
              ),
            },
            {
              id: "accounts",
              head: text("instance.accounts"),
              end: true,
              cell: ({ accounts }) => count(accounts),
            },
          ]}
        />
      </Section>
      <Audit ledger={ledger} />
      <Section
        title={text("instance.houseAccounts")}
        note={text("instance.houseNote")}
        action={<ExportLink table="house" title={text("instance.houseAccounts")} />}
      >
        <Table
          label={text("instance.houseAccounts")}
          rows={ledger.house}
          keyOf={({ kind, coin }) => `${kind}/${coin}`}
          columns={[
            { id: "kind", head: text("instance.account"), cell: ({ kind }) => kind },
            {
              id: "balance",
              head: text("instance.balance"),
              end: true,
              cell: ({ coin, balance }) => <Amount value={balance} coin={coin} />,
            },
          ]}
        />
      </Section>
    </>
  );
}

function Audit({ ledger: { audit, chain } }: Pick<InstanceView, "ledger">) {
  const { formatMessage } = useIntl();
  const { count, span, moment } = useFigures();
  const text = (id: string, values?: Record<string, string | number>) =>
    formatMessage({ id }, values);
  const found = audit?.findings ?? [];
  return (
    <Section title={text("instance.audit")} note={text("instance.auditNote")}>
      {audit ? (
        <Row
          label={
            <State judgement={found.length === 0 ? "good" : "bad"}>
              {found.length === 0
                ? text("instance.adds.good")
                : text("instance.findings", { count: found.length })}
            </State>
          }
          hint={text(audit.complete ? "instance.auditWhole" : "instance.auditSince", {
            entries: audit.entries,
          })}
          value={moment(audit.at_ms)}
          valueHint={span(audit.took_ms)}
        />
      ) : (
        <Row label={text("instance.adds.mind")} />
      )}
      {found.map(({ check, detail }) => (
        <Row key={`${check} ${detail}`} label={detail} hint={check} />
      ))}
      {chain ? (
        <Row
          label={text("instance.chain")}
          hint={text("instance.chainBatch", { number: count(chain.batch) })}
          value={<Hash value={chain.head} label={text("instance.chain")} />}
          valueHint={moment(chain.at_ms)}
        />
      ) : null}
    </Section>
  );
}
