import type { AnswerOf } from "#api/call.ts";
import type { myMachine } from "#api/mining.ts";
import { findAccountAndRate } from "#api/routes/records.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { PaidNote } from "./PaidNote.tsx";

/** The costs and earnings of all leases of the attempt, side by side. */
export function Totals({ ownTotals }: { ownTotals: AnswerOf<typeof myMachine> }) {
  const t = useText();
  const { data } = useApiQuery(findAccountAndRate, {});
  const line = data?.items.find(({ type }) => type === "mining");
  const result = line?.total ?? null;
  return (
    <>
      <Section title={t("mining.totals")}>
        <Row label={t("mining.spent")} value={<Amount value={ownTotals.spent} coin="pUSDT" />} />
        <Row
          label={t("mining.prepaid")}
          hint={t("mining.prepaid.hint")}
          value={line?.balance ? <Amount value={line.balance} coin="pUSDT" /> : "—"}
        />
        <Row
          label={t("mining.back")}
          hint={t("mining.worthNow")}
          value={<Amount value={ownTotals.mined} coin="pBTC" />}
          valueHint={
            ownTotals.mined_worth === null ? (
              "—"
            ) : (
              <Amount value={ownTotals.mined_worth} coin="pUSDT" />
            )
          }
        />
        {result === null ? null : (
          <Row
            label={<span className="font-strong">{t("mining.result")}</span>}
            value={
              <span className="font-strong">
                <Amount value={result} coin="pUSDT" signed toned />
              </span>
            }
          />
        )}
      </Section>
      <PaidNote />
    </>
  );
}
