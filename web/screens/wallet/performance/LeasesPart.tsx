import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import type { Results } from "./csv.ts";

/** Each lease: what was paid, what it got, and when it breaks even, as seen then and now. */
export function LeasesPart({ leases, records }: { leases: Results["leases"]; records: string }) {
  const t = useText();
  return (
    <Section
      title={t("performance.leases")}
      note={t("performance.leases.note")}
      action={
        <Link
          to={`/wallet-record?group=mining${records}`}
          className="inline-flex min-h-11 items-center text-small text-signal-ink hover:underline"
        >
          {t("performance.postings")}
        </Link>
      }
    >
      {leases.map((lease) => (
        <Lease key={lease.lease_id} lease={lease} />
      ))}
    </Section>
  );
}

function Lease({ lease }: { lease: Results["leases"][number] }) {
  const t = useText();
  const { formatDate } = useIntl();
  const date = (ms: number | null) =>
    ms === null ? t("performance.never") : formatDate(ms, { dateStyle: "medium" });
  const { worth_now: now } = lease;
  return (
    <div className="py-1">
      <Row
        label={
          <span className="font-strong">
            {lease.quantity} × {lease.model}
          </span>
        }
        hint={t("performance.lease.days", { done: lease.days_paid, days: lease.days })}
        to={`/mining/record?lease_id=${lease.lease_id}`}
      />
      <Row
        label={t("performance.lease.paid")}
        value={<Amount value={lease.paid} coin="pUSDT" />}
        className="min-h-11 text-small"
      />
      <Row
        label={t("performance.lease.got")}
        hint={<Amount value={lease.mined} coin="pBTC" />}
        value={<Amount value={lease.worth_then} coin="pUSDT" />}
        valueHint={
          now === null
            ? undefined
            : t("performance.lease.now", { amount: <Amount key="now" value={now} coin="pUSDT" /> })
        }
        className="min-h-11 text-small"
      />
      <Row
        label={t("performance.lease.even")}
        hint={t("performance.lease.even.then", { date: date(lease.break_even_then_ms) })}
        value={date(lease.break_even_now_ms)}
        className="min-h-11 text-small"
      />
    </div>
  );
}
