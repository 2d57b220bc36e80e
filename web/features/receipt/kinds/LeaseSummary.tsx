import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import type { LeaseDetail } from "#web/features/receipt/kinds/leaseKind.ts";

/** A lease's receipt, alongside the recomputed values: its cost, and what each day earned. */
export function LeaseSummary({ detail }: { detail: LeaseDetail }) {
  const t = useText();
  const { lease, payouts, mined_before: minedBefore, ended, terms } = detail.receipt;
  const total = payouts.reduce((sum, { amount }) => sum + BigInt(amount), BigInt(minedBefore));
  return (
    <>
      <Section title={t("receipt.lease")}>
        <Row
          label={`${String(terms.maker)} ${String(terms.model)}`}
          hint={t("receipt.lease.size", { quantity: lease.quantity, days: lease.days })}
        />
        <Row
          label={t("receipt.lease.price")}
          value={<Amount value={BigInt(lease.price)} coin="pUSDT" />}
        />
        <Row
          label={t("receipt.lease.power")}
          value={<Amount value={BigInt(lease.power)} coin="pUSDT" />}
        />
        <Row label={t("receipt.lease.mined")} value={<Amount value={total} coin="pBTC" />} />
        {ended ? (
          <Row
            label={t("receipt.lease.refund")}
            hint={t("receipt.lease.unused", { days: ended.ending.unused_days })}
            value={
              <Amount
                value={BigInt(ended.ending.price) + BigInt(ended.ending.power)}
                coin="pUSDT"
              />
            }
          />
        ) : null}
        <Row
          label={t("receipt.lease.id")}
          value={<Hash value={lease.lease_id} label={t("receipt.lease.id")} />}
        />
      </Section>
      {payouts.length > 0 ? (
        <Section title={t("receipt.lease.days")}>
          {payouts.map(({ day, amount }) => (
            <Row
              key={day}
              label={t("receipt.lease.day", { day })}
              value={<Amount value={BigInt(amount)} coin="pBTC" />}
            />
          ))}
        </Section>
      ) : null}
    </>
  );
}
