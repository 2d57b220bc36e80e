import { useState } from "react";
import { useIntl } from "react-intl";
import { Link } from "react-router";
import type { Attempt } from "#api/attempts.ts";
import { getAttempts } from "#api/routes/attempts.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Hideable, useHidden } from "#web/lib/hideAmounts.tsx";
import { shortWorthText } from "#web/lib/shortAmount.ts";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { ComparePicker } from "./ComparePicker.tsx";
import { barOf, type CompareBy, figureOf, scaleOfBars } from "./compare.ts";
import { StartOver } from "./StartOver.tsx";

const pageSize = 20;

/** One's attempts beside each other, and the way to start over. */
function AttemptsView() {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const [by, setBy] = useState<CompareBy>("result");
  const [page, setPage] = useState(1);
  const [before, setBefore] = useState<string | null>(null);
  const input = { page, page_size: pageSize, ...(before === null ? {} : { before }) };
  const query = useCall(getAttempts, input, { keepPrevious: true });
  const { data } = query;
  if (query.error && !data) {
    return (
      <div className="p-4">
        <ErrorNote busy={query.isFetching} onRetry={() => void query.refetch()}>
          {sentence(query.error)}
        </ErrorNote>
      </div>
    );
  }
  if (!data) return <SkeletonRows count={5} />;
  const current = data.items.find((one) => one.current) ?? null;
  const turn = (to: number) => {
    setBefore(data.before);
    setPage(to);
  };
  return (
    <>
      <p className="px-4 pt-1 pb-3 text-small text-ink-soft">
        {formatMessage({ id: "attempts.text" })}
      </p>
      <ComparePicker value={by} onChange={setBy} />
      <Section note={formatMessage({ id: noteOf(by) })}>
        {data.items.map((one) => (
          <AttemptRow
            key={one.attempt_id}
            attempt={one}
            by={by}
            most={scaleOfBars(data.items, by)}
          />
        ))}
      </Section>
      {page > 1 || data.has_more ? (
        <div className="flex justify-center gap-2 px-4 pt-4">
          <Button
            variant="outline"
            size="small"
            disabled={page === 1}
            onClick={() => turn(page - 1)}
          >
            {formatMessage({ id: "attempts.later" })}
          </Button>
          <Button
            variant="outline"
            size="small"
            disabled={!data.has_more}
            onClick={() => turn(page + 1)}
          >
            {formatMessage({ id: "attempts.earlier" })}
          </Button>
        </div>
      ) : null}
      {current ? <StartOver current={current} nextStartAtMs={data.next_start_at_ms} /> : null}
    </>
  );
}

export default AttemptsView;

function noteOf(by: CompareBy): string {
  if (by === "result") return "attempts.by.result.note";
  if (by === "total") return "attempts.by.total.note";
  return by === "fees" ? "attempts.by.fees.note" : "attempts.by.line.note";
}

function AttemptRow({ attempt, by, most }: { attempt: Attempt; by: CompareBy; most: number }) {
  const { formatMessage, formatDate, formatDateTimeRange } = useIntl();
  const [hidden] = useHidden();
  const figure = figureOf(attempt, by);
  const dates =
    attempt.closed_at_ms === null
      ? formatDate(attempt.opened_at_ms, { dateStyle: "medium" })
      : formatDateTimeRange(attempt.opened_at_ms, attempt.closed_at_ms, { dateStyle: "medium" });
  return (
    <Link
      to={`/wallet?do=attempts&attempt=${attempt.attempt_id}`}
      className="block px-4 py-3 transition-colors hover:bg-leaf active:bg-well focus-visible:-outline-offset-2"
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-strong">
          {formatMessage({ id: "attempts.number" }, { number: attempt.number })}
          {attempt.current ? (
            <span className="ml-2 text-small font-normal text-ink-faint">
              {formatMessage({ id: "attempts.current" })}
            </span>
          ) : null}
        </span>
        <Hideable hidden={hidden}>
          {figure === null ? (
            formatMessage({ id: "attempts.unpriced" })
          ) : (
            <Amount
              value={shortWorthText(figure, "pUSDT")}
              coin="pUSDT"
              signed={by !== "total" && by !== "fees"}
              toned={by !== "total" && by !== "fees"}
            />
          )}
        </Hideable>
      </span>
      <span className="mt-1 flex items-center gap-3">
        <span className="min-w-0 flex-1 text-small text-ink-faint">{dates}</span>
        {hidden ? null : <Bar share={barOf(figure, most)} />}
      </span>
    </Link>
  );
}

/** How large a figure is beside the others: losses to the left of the middle, gains to the right, at one scale. */
function Bar({ share }: { share: number }) {
  const size = `${Math.abs(share) * 50}%`;
  return (
    <span aria-hidden="true" className="relative h-2 w-32 shrink-0 rounded-full bg-well">
      <span
        className={`absolute inset-y-0 rounded-full ${share < 0 ? "bg-fall" : "bg-rise"}`}
        style={share < 0 ? { right: "50%", width: size } : { left: "50%", width: size }}
      />
      <span className="absolute -inset-y-0.5 left-1/2 w-px bg-line-strong" />
    </span>
  );
}
