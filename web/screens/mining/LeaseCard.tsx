import { type ReactNode, Suspense, useState } from "react";
import { FormattedNumber, useIntl } from "react-intl";
import type { Lease } from "#api/mining.ts";
import { useText } from "#i18n/useText.ts";
import { Badge, type BadgeTone } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { Progress } from "#ui/figures/Progress.tsx";
import { Link } from "#ui/router.tsx";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { getWorldNowMs } from "#web/lib/worldClock.ts";
import { refreshLeases } from "./useLeaseUpdates.ts";

const EndSheet = deferredComponent(() => import("./EndSheet.tsx"));
const tones: Record<Lease["status"], BadgeTone> = {
  running: "warning",
  at_work: "rise",
  maturity: "neutral",
};

/** One lease: its status, what it cost and earned so far, and what can be done with it. */
export function LeaseCard({
  lease,
  whole = false,
  heading: Heading = "h2",
}: {
  lease: Lease;
  whole?: boolean;
  /** One level below the heading above it. */
  heading?: "h2" | "h3";
}) {
  const t = useText();
  const [endingLease, setEndingLease] = useState<Lease | null>(null);
  const name = `${lease.quantity} × ${lease.model}`;
  const link = buttonClass({ variant: "quiet", size: "small" });
  return (
    <article className="px-4 py-4" aria-label={name}>
      <div className="flex items-center justify-between gap-3">
        <Heading className="min-w-0 font-strong">
          {whole ? (
            name
          ) : (
            <Link to={`/mining/record?lease_id=${lease.lease_id}`} className="hover:underline">
              {name}
            </Link>
          )}
        </Heading>
        <Badge tone={tones[lease.status]}>{t(`mining.status.${lease.status}`)}</Badge>
      </div>
      <Stage lease={lease} />
      <LeaseFigures lease={lease} whole={whole} />
      <div className="-mx-3.5 mt-1 flex flex-wrap">
        <Link to={`/verify?lease_id=${lease.lease_id}`} className={link}>
          {t("mining.receipt")}
        </Link>
        <Link to={`/miningrecord?lease_id=${lease.lease_id}`} className={link}>
          {t("mining.payouts")}
        </Link>
        {lease.end_now ? (
          <Button variant="quiet" size="small" onClick={() => setEndingLease(lease)}>
            {t("mining.end")}
          </Button>
        ) : null}
      </div>
      {endingLease ? (
        <Suspense fallback={null}>
          <EndSheet lease={lease} onClose={() => setEndingLease(null)} />
        </Suspense>
      ) : null}
    </article>
  );
}

/** Commissioning with a countdown, at work with its days, or over. */
function Stage({ lease }: { lease: Lease }) {
  const { formatDate } = useIntl();
  const t = useText();
  const date = (ms: number) => formatDate(ms, { dateStyle: "medium", timeStyle: "short" });
  if (lease.status === "running") {
    return (
      <p className="mt-2 flex justify-between gap-3 text-small">
        <span className="text-ink-soft">{t("mining.startsIn")}</span>
        <Countdown
          untilMs={lease.starts_at_ms}
          now={getWorldNowMs}
          onEnd={refreshLeases as () => void}
          className="font-strong"
        />
      </p>
    );
  }
  const days = t("mining.daysPaid", { done: lease.days_paid, days: lease.days_to_work });
  return (
    <div className="mt-2">
      <div className="mb-1.5 flex flex-wrap justify-between gap-x-3 text-small">
        <span className="text-ink-soft">{days}</span>
        <span className="text-ink-faint">
          {lease.next_payout_at_ms === null
            ? t("mining.endedAt", { time: date(lease.ends_at_ms) })
            : t("mining.nextPayout", { time: date(lease.next_payout_at_ms) })}
        </span>
      </div>
      <Progress
        value={(100 * lease.days_paid) / Math.max(1, lease.days_to_work)}
        label={t("mining.days")}
        text={days}
      />
    </div>
  );
}

function LeaseFigures({ lease, whole }: { lease: Lease; whole: boolean }) {
  const { formatDate } = useIntl();
  const t = useText();
  const line = (id: string, value: ReactNode, strong = false) => (
    <>
      <dt className={strong ? "font-strong" : "text-ink-soft"}>{t(id)}</dt>
      <dd className={strong ? "text-right font-strong" : "text-right"}>{value}</dd>
    </>
  );
  const date = (ms: number) => formatDate(ms, { dateStyle: "medium", timeStyle: "short" });
  return (
    <dl className="mt-3 grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 text-small">
      {line("mining.leasePrice", <Amount value={lease.price} coin="pUSDT" />)}
      {line("mining.leasePower", <Amount value={lease.power} coin="pUSDT" />)}
      {lease.status === "at_work"
        ? line("mining.today", <Amount value={lease.today_so_far} coin="pBTC" />)
        : null}
      {line("mining.prepaid", <Amount value={lease.at_work} coin="pUSDT" />)}
      {line("mining.mined", <Amount value={lease.mined} coin="pBTC" />)}
      {lease.mined_worth === null
        ? null
        : line("mining.worthNow", <Amount value={lease.mined_worth} coin="pUSDT" />)}
      {lease.refund
        ? line("mining.refundPrice", <Amount value={lease.refund.price} coin="pUSDT" />)
        : null}
      {lease.refund
        ? line("mining.refundPower", <Amount value={lease.refund.power} coin="pUSDT" />)
        : null}
      {lease.result === null
        ? null
        : line(
            "mining.resultSoFar",
            <Amount value={lease.result} coin="pUSDT" signed toned />,
            true,
          )}
      {whole ? (
        <>
          {line(
            "mining.hashrate",
            <>
              <FormattedNumber value={Number(lease.hashrate_ths)} /> TH/s
            </>,
          )}
          {line(
            "mining.power",
            <>
              <FormattedNumber value={lease.power_w} /> W
            </>,
          )}
          {line("mining.ratePerDay", <Amount value={lease.rate_per_day} coin="pBTC" />)}
          {line("mining.leasedAt", date(lease.accepted_at_ms))}
          {line("mining.startsAt", date(lease.starts_at_ms))}
          {line("mining.endsAt", date(lease.ends_at_ms))}
        </>
      ) : null}
    </dl>
  );
}
