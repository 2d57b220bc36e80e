import { useIntl } from "react-intl";
import type { Attempt } from "#api/attempts.ts";
import { getAttempts } from "#api/routes/attempts.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useDisplay } from "#web/lib/display.ts";
import { HideableAmount, useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { History } from "../History.tsx";
import { ClosedAttemptUnits } from "./ClosedAttemptUnits.tsx";
import { Running } from "./Running.tsx";

/** One attempt, closed or not: its figures, its history, its records and its export. */
function AttemptView({ attemptId }: { attemptId: string }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const query = useApiQuery(getAttempts, { page: 1, page_size: 1, attempt_id: attemptId });
  const { data } = query;
  if (query.error && !data) {
    return (
      <div className="p-4">
        <ErrorNote busy={query.isFetching} onRetry={() => void query.refetch()}>
          {errorMessage(query.error)}
        </ErrorNote>
      </div>
    );
  }
  if (!data) return <SkeletonRows count={6} />;
  const attempt = data.items[0];
  if (!attempt) {
    return (
      <Empty
        drawing={<EmptyDockDrawing />}
        title={t("attempts.none")}
        action={
          <Link to="/wallet?do=attempts" className={buttonClass({ variant: "outline" })}>
            {t("attempts.toAll")}
          </Link>
        }
      />
    );
  }
  return <Figures attempt={attempt} />;
}

export default AttemptView;

function Figures({ attempt }: { attempt: Attempt }) {
  const { formatDate } = useIntl();
  const t = useText();
  const [hidden] = useHideAmounts();
  const [display] = useDisplay();
  const moment = (ms: number) => formatDate(ms, { dateStyle: "medium", timeStyle: "short" });
  const amount = (value: string | null, signed = false) => (
    <HideableAmount hidden={hidden}>
      {value === null ? (
        t("attempts.unpriced")
      ) : (
        <Amount
          value={shortWorthText(value, "pUSDT")}
          coin="pUSDT"
          signed={signed}
          toned={signed}
          alignDigits={2}
        />
      )}
    </HideableAmount>
  );
  const row = (id: string, value: React.ReactNode, hint?: string) => (
    <Row key={id} label={t(id)} value={value} hint={hint} />
  );
  return (
    <>
      <section className="px-4 pt-1">
        <h2 className="text-title font-strong">
          {t("attempts.number", { number: attempt.number })}
        </h2>
        <p className="text-small text-ink-soft">
          {attempt.closed_at_ms === null
            ? t("attempts.open", { from: moment(attempt.opened_at_ms) })
            : t("attempts.closed", {
                from: moment(attempt.opened_at_ms),
                to: moment(attempt.closed_at_ms),
              })}
        </p>
      </section>
      <History
        display={display}
        isHidden={hidden}
        first="all"
        {...(attempt.current ? {} : { attemptId: attempt.attempt_id })}
      />
      <Section title={t("attempts.figures")}>
        {row("attempts.start", amount(attempt.start_total))}
        {attempt.closed_at_ms === null
          ? null
          : row("attempts.closing", amount(attempt.closing_total))}
        {row("attempts.now", amount(attempt.total), t("attempts.now.hint"))}
        {row("attempts.by.result", amount(attempt.result, true), t("attempts.result.hint"))}
        {row("attempts.by.fees", amount(attempt.fees))}
        {row("attempts.postings", String(attempt.postings))}
      </Section>
      {attempt.current ? null : <Coins attempt={attempt} hidden={hidden} />}
      {attempt.current ? null : (
        <ClosedAttemptUnits attemptId={attempt.attempt_id} hidden={hidden} />
      )}
      <Section title={t("attempts.lines")}>
        {attempt.lines.map(({ type, result }) => row(`attempts.by.${type}`, amount(result, true)))}
      </Section>
      {attempt.current ? null : (
        <Section kind="plain" title={t("attempts.runs")}>
          {attempt.running.length === 0 ? (
            <p className="text-ink-soft">{t("attempts.runs.none")}</p>
          ) : (
            <Running running={attempt.running} />
          )}
        </Section>
      )}
      <Section title={t("attempts.records")}>
        <Row
          label={t("attempts.records.read")}
          to={`/wallet-record?attempt_id=${attempt.attempt_id}`}
        />
        <ExportRow attemptId={attempt.attempt_id} format="csv" />
        <ExportRow attemptId={attempt.attempt_id} format="json" />
      </Section>
    </>
  );
}

/** The balances left in a closed attempt, each coin with a link to withdraw it. */
function Coins({ attempt, hidden }: { attempt: Attempt; hidden: boolean }) {
  const t = useText();
  return (
    <Section
      title={t("attempts.coins")}
      note={t(attempt.coins.length > 0 ? "attempts.coins.note" : "attempts.coins.none")}
    >
      {attempt.coins.map(({ coin, available, held }) => (
        <Row
          key={coin}
          label={t("attempts.coins.withdraw", { coin })}
          hint={held === "0" ? undefined : t("attempts.coins.leaving")}
          value={
            <HideableAmount hidden={hidden}>
              <Amount value={available} coin={coin} alignDigits={2} />
            </HideableAmount>
          }
          to={`/wallet-info?coin=${coin}&do=withdraw&attempt_id=${attempt.attempt_id}`}
        />
      ))}
    </Section>
  );
}

/** A plain link: the browser saves the server's response, however long it is. */
function ExportRow({ attemptId, format }: { attemptId: string; format: "csv" | "json" }) {
  const t = useText();
  const label = t("attempts.records.save", { format: format.toUpperCase() });
  return (
    <a
      href={`/api/user/exportRecords?attempt_id=${attemptId}&format=${format}`}
      download=""
      className="flex min-h-14 items-center px-4 text-signal-ink transition-colors hover:bg-leaf active:bg-well focus-visible:-outline-offset-2"
    >
      {label}
    </a>
  );
}
