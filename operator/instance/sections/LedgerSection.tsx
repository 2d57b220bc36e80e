import type { InstanceView } from "#api/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { SeverityBadge } from "#operator/instance/SeverityBadge.tsx";
import { listUnbalancedCoins } from "#operator/instance/severity.ts";
import { Table } from "#operator/instance/Table.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** The totals of all accounts, the findings of the last audit, and the house accounts. */
export function LedgerSection({ view: { ledger } }: { view: InstanceView }) {
  const t = useText();
  const { count } = useFigures();
  const unbalanced = new Set(listUnbalancedCoins(ledger).map(({ coin }) => coin));
  return (
    <>
      <Section
        title={t("instance.trial")}
        note={t("instance.trialNote")}
        action={<ExportLink table="trial_balance" title={t("instance.trial")} />}
      >
        <Table
          label={t("instance.trial")}
          rows={ledger.trial}
          getKey={({ coin }) => coin}
          columns={[
            { id: "coin", head: t("instance.coin"), cell: ({ coin }) => coin },
            {
              id: "people",
              head: t("instance.people"),
              isEndAligned: true,
              cell: ({ coin, people }) => <Amount value={people} coin={coin} bare />,
            },
            {
              id: "house",
              head: t("instance.house"),
              isEndAligned: true,
              cell: ({ coin, house }) => <Amount value={house} coin={coin} bare />,
            },
            {
              id: "total",
              head: t("instance.sum"),
              isEndAligned: true,
              cell: ({ coin, total }) => (
                <SeverityBadge severity={unbalanced.has(coin) ? "bad" : "good"}>
                  {unbalanced.has(coin) ? <Amount value={total} coin={coin} signed bare /> : "0"}
                </SeverityBadge>
              ),
            },
            {
              id: "accounts",
              head: t("instance.accounts"),
              isEndAligned: true,
              cell: ({ accounts }) => count(accounts),
            },
          ]}
        />
      </Section>
      <Audit ledger={ledger} />
      <Section
        title={t("instance.houseAccounts")}
        note={t("instance.houseNote")}
        action={<ExportLink table="house" title={t("instance.houseAccounts")} />}
      >
        <Table
          label={t("instance.houseAccounts")}
          rows={ledger.house}
          getKey={({ kind, coin }) => `${kind}/${coin}`}
          columns={[
            { id: "kind", head: t("instance.account"), cell: ({ kind }) => kind },
            {
              id: "balance",
              head: t("instance.balance"),
              isEndAligned: true,
              cell: ({ coin, balance }) => <Amount value={balance} coin={coin} />,
            },
          ]}
        />
      </Section>
    </>
  );
}

function Audit({ ledger: { audit, chain } }: Pick<InstanceView, "ledger">) {
  const t = useText();
  const { count, span, moment } = useFigures();
  const findings = audit?.findings ?? [];
  return (
    <Section title={t("instance.audit")} note={t("instance.auditNote")}>
      {audit ? (
        <Row
          label={
            <SeverityBadge severity={findings.length === 0 ? "good" : "bad"}>
              {findings.length === 0
                ? t("instance.adds.good")
                : t("instance.findings", { count: findings.length })}
            </SeverityBadge>
          }
          hint={t(audit.complete ? "instance.auditWhole" : "instance.auditSince", {
            entries: audit.entries,
          })}
          value={moment(audit.at_ms)}
          valueHint={span(audit.took_ms)}
        />
      ) : (
        <Row label={t("instance.adds.warning")} />
      )}
      {findings.map(({ check, detail }) => (
        <Row key={`${check} ${detail}`} label={detail} hint={check} />
      ))}
      {chain ? (
        <Row
          label={t("instance.chain")}
          hint={t("instance.chainBatch", { number: count(chain.batch) })}
          value={<Hash value={chain.head} label={t("instance.chain")} />}
          valueHint={moment(chain.at_ms)}
        />
      ) : null}
    </Section>
  );
}
