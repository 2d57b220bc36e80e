import { useEffect, useState } from "react";
import { useIntl } from "react-intl";
import { findHistoryTest, getHistorySources, getHistoryTests } from "#api/routes/backtest.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Change } from "#ui/figures/Change.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { Files } from "./Files.tsx";
import { Result } from "./Result.tsx";
import { Running } from "./Running.tsx";
import { Setup } from "./Setup.tsx";

/** Poll interval of a running test, in milliseconds. */
const pollMs = 700;

/**
 * Backtests a strategy on this world's recording or on the person's price files. The screen
 * provides the frame.
 */
export default function BacktestView() {
  const t = useText();
  const { status, signIn } = useSession();
  const [runId, setRunId] = useState<string | null>(null);
  if (status === "loading") return <SkeletonRows />;
  if (status === "signed_out") {
    return (
      <Empty
        drawing={<MooringDrawing />}
        title={t("backtest.signIn")}
        action={<Button onClick={signIn}>{t("backtest.signIn.do")}</Button>}
      />
    );
  }
  return (
    <>
      <p className="px-4 pt-2 text-small text-ink-soft">{t("backtest.intro")}</p>
      <BacktestDetails runId={runId} onLatest={() => setRunId(null)} />
      <Earlier onOpen={setRunId} />
    </>
  );
}

/**
 * The setup or the running test, then the result of the latest test or of the one that was opened.
 */
function BacktestDetails({ runId, onLatest }: { runId: string | null; onLatest: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const first = useApiQuery(findHistoryTest, {});
  const isActive = ["waiting", "running"].includes(first.data?.test?.status ?? "");
  const latest = useApiQuery(findHistoryTest, {}, isActive ? { refetchMs: pollMs } : {});
  const useQueryResult = useApiQuery(
    findHistoryTest,
    { run_id: runId ?? "" },
    { enabled: runId !== null && !isActive },
  );
  // The test that just ended belongs in the list.
  useEffect(() => {
    if (!isActive) void invalidate(getHistoryTests);
  }, [isActive]);
  if (latest.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void latest.refetch()}>{errorMessage(latest.error)}</ErrorNote>
      </div>
    );
  }
  if (!latest.data) return <SkeletonRows />;
  if (isActive && latest.data.test) return <Running test={latest.data.test} />;
  const { test, result } = (runId === null ? latest.data : useQueryResult.data) ?? latest.data;
  return (
    <>
      <Choose />
      {test && test.status === "failed" ? (
        <div className="mt-6 px-4">
          <ErrorNote>{t(`backtest.reason.${test.reason ?? "failed"}`)}</ErrorNote>
        </div>
      ) : null}
      {test?.status === "cancelled" ? (
        <p className="mt-6 px-4 text-small text-ink-soft">{t("backtest.cancelled")}</p>
      ) : null}
      {test && result ? <Result key={test.run_id} test={test} result={result} /> : null}
      {runId !== null ? (
        <div className="mt-4 px-4">
          <Button variant="quiet" block onClick={onLatest}>
            {t("backtest.latest")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Choose() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const sources = useApiQuery(getHistorySources, {});
  const [choice, setChoice] = useState<"world" | "files" | null>(null);
  if (sources.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void sources.refetch()}>{errorMessage(sources.error)}</ErrorNote>
      </div>
    );
  }
  if (!sources.data) return <SkeletonRows />;
  const { world, files, margin_bp: marginBp } = sources.data;
  const which = world ? (choice ?? "world") : "files";
  const source = which === "world" ? world : files;
  return (
    <>
      {world ? (
        <div className="mt-6 px-4">
          <Segmented
            label={t("backtest.source")}
            value={which}
            onChange={setChoice}
            options={(["world", "files"] as const).map((value) => ({
              value,
              label: t(`backtest.source.${value}`),
            }))}
          />
          {which === "world" ? (
            <p className="mt-2 text-caption text-ink-faint">{t("backtest.source.world.about")}</p>
          ) : null}
        </div>
      ) : null}
      {which === "files" ? <Files source={files} /> : null}
      {source ? (
        <Setup
          key={`${which} ${source.kept_until_ms}`}
          source={source}
          which={which}
          marginBp={marginBp}
        />
      ) : null}
    </>
  );
}

/** Lists the tests of the last days, so that none is overlooked when one is shown. */
function Earlier({ onOpen }: { onOpen: (id: string) => void }) {
  const { formatDate } = useIntl();
  const t = useText();
  const list = useApiQuery(getHistoryTests, {});
  if (!list.data || list.data.items.length < 2) return null;
  return (
    <Section title={t("backtest.earlier")} note={t("backtest.earlier.about")}>
      {list.data.items.map((test) => (
        <Row
          key={test.run_id}
          label={`${t(`backtest.strategy.${test.strategy}`)} · ${test.symbols.join(", ")}`}
          hint={`${formatDate(test.asked_at_ms, { dateStyle: "medium", timeStyle: "short" })} · ${t("backtest.margin.of", { margin: test.margin_bp })}`}
          value={
            test.return_bp === null ? (
              t(`backtest.status.${test.status}`)
            ) : (
              <Change bp={test.return_bp} />
            )
          }
          onClick={() => {
            onOpen(test.run_id);
            window.scrollTo({ top: 0 });
          }}
        />
      ))}
    </Section>
  );
}
