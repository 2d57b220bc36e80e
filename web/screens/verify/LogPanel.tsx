import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { useStore } from "#ui/createStore.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import {
  alarmingChanges,
  browserCheckpointStore,
  type LogChange,
} from "#web/features/receipt/checkpointStore.ts";
import type { LogSuccessor } from "#web/features/receipt/succession.ts";
import { priceWatch } from "#web/features/receipt/watchPrices.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { AuditPanel } from "#web/screens/verify/AuditPanel.tsx";
import { SecondCounts } from "#web/screens/verify/SecondCounts.tsx";
import { useLog, useLogErrorMessage } from "#web/screens/verify/useLog.ts";
import { VenuesLeftOut } from "#web/screens/verify/VenuesLeftOut.tsx";
import { WitnessKeys } from "#web/screens/verify/WitnessKeys.tsx";

const DayPanel = lazyComponent(() => import("#web/screens/verify/DayPanel.tsx"), []);

type FollowedLog = NonNullable<ReturnType<typeof useLog>["data"]>;

/**
 * The log itself: its size, who signs it, and how it compares with what this browser saw before.
 */
export default function LogPanel() {
  const t = useText();
  const { data, error, isFetching, refetch } = useLog();
  const errorMessage = useLogErrorMessage();
  if (data?.followed.ok) {
    return (
      <>
        <StoredCheckpointRow
          finding={data.followed.finding}
          before={data.followed.before}
          succeeded={data.followed.succeeded}
          onForget={() => void refetch()}
        />
        <State data={data} />
        <Watchers witnesses={data.state.witnesses} />
        <WitnessKeys onChanged={() => void refetch()} />
        <WatchState />
        <DayPanel />
        <AuditPanel />
      </>
    );
  }
  if (data && !data.followed.ok) {
    return (
      <div className="px-4 pt-5">
        <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
          {t(`receipt.problem.${data.followed.error}`)}
        </ErrorNote>
      </div>
    );
  }
  if (error) {
    return (
      <div className="px-4 pt-5">
        <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
          {errorMessage(error)}
        </ErrorNote>
      </div>
    );
  }
  return <SkeletonRows count={7} />;
}

interface StoredCheckpointProps {
  finding: LogChange;
  before: { size: number; seenMs: number } | null;
  succeeded: LogSuccessor | null;
  onForget: () => void;
}

function StoredCheckpointRow({ finding, before, succeeded, onForget }: StoredCheckpointProps) {
  const { formatDate } = useIntl();
  const t = useText();
  const values = {
    size: before?.size ?? 0,
    date: formatDate(before?.seenMs ?? 0, { dateStyle: "medium", timeStyle: "short" }),
  };
  if (!alarmingChanges.has(finding)) {
    return (
      <p className="px-4 pt-5 text-small text-ink-soft">{t(`verify.log.${finding}`, values)}</p>
    );
  }
  return (
    <div className="grid gap-3 px-4 pt-5">
      <ErrorNote>{t(`receipt.problem.log_${finding}`)}</ErrorNote>
      {succeeded ? (
        <p className="text-small">
          {t("verify.log.lost", {
            lost: succeeded.lost,
            survived: succeeded.survived,
            date:
              succeeded.lostFromMs === null
                ? "—"
                : formatDate(succeeded.lostFromMs, { dateStyle: "medium", timeStyle: "medium" }),
          })}
        </p>
      ) : null}
      <p className="text-small text-ink-soft">{t("verify.log.forget.note")}</p>
      <Button
        variant="danger"
        size="small"
        onClick={() => {
          browserCheckpointStore.write(null);
          onForget();
        }}
      >
        {t("verify.log.forget")}
      </Button>
    </div>
  );
}

function State({ data: { state, witnesses } }: { data: FollowedLog }) {
  const { formatNumber, formatDate } = useIntl();
  const t = useText();
  const megabytes =
    state.bytes_per_day === null
      ? t("verify.log.perDay.unknown")
      : formatNumber(state.bytes_per_day / 1_000_000, {
          style: "unit",
          unit: "megabyte",
          maximumFractionDigits: 1,
        });
  const rootLabel = t("verify.log.root");
  return (
    <>
      <Section title={t("verify.log.state")}>
        <Row
          label={t("verify.log.origin")}
          hint={<span className="font-mono break-all">{state.origin}</span>}
        />
        <Row label={t("verify.log.size")} value={formatNumber(state.size)} />
        <Row label={rootLabel} value={<Hash value={state.root} label={rootLabel} />} />
        <Row
          label={t("verify.log.signed")}
          value={formatDate(state.checkpoint_at_ms, { timeStyle: "medium", dateStyle: "medium" })}
        />
        <Row
          label={t("verify.log.pending")}
          hint={t("verify.log.pending.note")}
          value={formatNumber(state.pending)}
        />
        <Row
          label={t("verify.log.witnesses")}
          hint={t("verify.log.witnesses.note")}
          value={t(
            witnesses.configured === 0
              ? "verify.log.witnesses.none"
              : "verify.log.witnesses.counted",
            { configured: witnesses.configured, count: witnesses.count },
          )}
        />
        {witnesses.atMs === null ? null : (
          <p className="px-4 pb-3 text-small text-ink-soft">
            {t("receipt.limits.witnesses.signed", {
              size: witnesses.size,
              date: formatDate(witnesses.atMs, { dateStyle: "medium", timeStyle: "medium" }),
            })}
          </p>
        )}
        <Row label={t("verify.log.perDay")} hint={t("verify.log.retention")} value={megabytes} />
      </Section>
      <SecondCounts />
      <VenuesLeftOut />
      <Section title={t("verify.log.keys")}>
        {state.keys.map(({ vkey, from_size }, index) => (
          <Row
            key={vkey}
            label={<Hash value={vkey} label={t("verify.log.key")} ends={9} />}
            hint={from_size === null ? null : t("verify.log.key.from", { size: from_size })}
            value={index === 0 ? <Badge>{t("verify.log.key.signs")}</Badge> : undefined}
          />
        ))}
      </Section>
      <Section title={t("verify.log.checkpoint")} kind="plain">
        <pre className="overflow-x-auto rounded-dock border border-line bg-leaf p-3.5 font-mono text-caption whitespace-pre-wrap break-all">
          {state.checkpoint}
        </pre>
        <p className="pt-3 text-small text-ink-soft">{t("verify.log.follow")}</p>
      </Section>
    </>
  );
}

/** How the prices pushed to this page compare with the log. */
function WatchState() {
  const { formatTime } = useIntl();
  const t = useText();
  const watch = useStore(priceWatch);
  const values =
    watch.state === "waiting"
      ? {}
      : {
          count: watch.compared,
          time: formatTime(watch.state === "agrees" ? watch.secondMs : watch.difference.secondMs, {
            timeStyle: "medium",
          }),
        };
  return (
    <Section title={t("verify.watch")} kind="plain">
      {watch.state === "differs" ? (
        <ErrorNote>
          {t("verify.watch.differs", {
            ...values,
            symbol: watch.difference.symbol,
            pushed: watch.difference.pushed ?? "—",
            logged: watch.difference.logged ?? "—",
          })}
        </ErrorNote>
      ) : (
        <p className="text-small text-ink-soft">{t(`verify.watch.${watch.state}`, values)}</p>
      )}
    </Section>
  );
}

/**
 * Witnesses that the operator asks to cosign; how much they are worth is for the reader to judge.
 */
function Watchers({ witnesses }: { witnesses: FollowedLog["state"]["witnesses"] }) {
  const { formatDate } = useIntl();
  const t = useText();
  if (witnesses.length === 0) {
    const values = { url: location.origin, example: "witness.example.org" };
    return (
      <Section title={t("verify.log.watchers")}>
        <p className="px-4 py-3 text-small break-words text-ink-soft">
          {t("verify.log.watchers.none", values)}
        </p>
      </Section>
    );
  }
  return (
    <Section title={t("verify.log.watchers")}>
      {witnesses.map(({ name, vkey, size, since_ms: sinceMs }) => (
        <Row
          key={vkey}
          label={<span className="break-all">{name}</span>}
          hint={
            sinceMs === null
              ? t("verify.log.watchers.waiting")
              : t("verify.log.watchers.since", {
                  date: formatDate(sinceMs, { dateStyle: "medium" }),
                  size,
                })
          }
        />
      ))}
    </Section>
  );
}
