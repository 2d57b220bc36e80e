import { useState } from "react";
import { useIntl } from "react-intl";
import type { Attempt } from "#api/attempts.ts";
import { getAttempts } from "#api/routes/attempts.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { HideableAmount, useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { ComparePicker } from "./ComparePicker.tsx";
import { type CompareBy, computeBarShare, getFigure, getLargestFigure } from "./compare.ts";
import { StartOver } from "./StartOver.tsx";

const pageSize = 20;

/** The person's attempts side by side, and a button to start over. */
function AttemptsView() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [by, setBy] = useState<CompareBy>("result");
  const list = useApiPages(getAttempts, { page_size: pageSize });
  const { first, items } = list;
  if (!first || !items) {
    return list.error ? (
      <div className="p-4">
        <ErrorNote busy={list.isFetching} onRetry={list.refetch}>
          {errorMessage(list.error)}
        </ErrorNote>
      </div>
    ) : (
      <SkeletonRows count={5} />
    );
  }
  const current = items.find((item) => item.current) ?? null;
  const largest = getLargestFigure(items, by);
  return (
    <>
      <p className="px-4 pt-1 pb-3 text-small text-ink-soft">{t("attempts.text")}</p>
      <ComparePicker value={by} onChange={setBy} />
      <Section note={t(formatNote(by))}>
        <PagedList list={list} keyOf={(item) => item.attempt_id} className="hairlines" empty={null}>
          {(item) => <AttemptRow attempt={item} by={by} most={largest} />}
        </PagedList>
      </Section>
      {current ? <StartOver current={current} nextStartAtMs={first.next_start_at_ms} /> : null}
    </>
  );
}

export default AttemptsView;

function formatNote(by: CompareBy): string {
  if (by === "result") return "attempts.by.result.note";
  if (by === "total") return "attempts.by.total.note";
  return by === "fees" ? "attempts.by.fees.note" : "attempts.by.line.note";
}

function AttemptRow({
  attempt,
  by,
  most: largest,
}: {
  attempt: Attempt;
  by: CompareBy;
  most: number;
}) {
  const { formatDate, formatDateTimeRange } = useIntl();
  const t = useText();
  const [hidden] = useHideAmounts();
  const figure = getFigure(attempt, by);
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
          {t("attempts.number", { number: attempt.number })}
          {attempt.current ? (
            <span className="ml-2 text-small font-normal text-ink-faint">
              {t("attempts.current")}
            </span>
          ) : null}
        </span>
        <HideableAmount hidden={hidden}>
          {figure === null ? (
            t("attempts.unpriced")
          ) : (
            <Amount
              value={shortWorthText(figure, "pUSDT")}
              coin="pUSDT"
              signed={by !== "total" && by !== "fees"}
              toned={by !== "total" && by !== "fees"}
            />
          )}
        </HideableAmount>
      </span>
      <span className="mt-1 flex items-center gap-3">
        <span className="min-w-0 flex-1 text-small text-ink-faint">{dates}</span>
        {hidden ? null : <Bar share={computeBarShare(figure, largest)} />}
      </span>
    </Link>
  );
}

/**
 * A figure relative to the others: losses to the left of the middle, gains to the right, on one
 * scale.
 */
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
