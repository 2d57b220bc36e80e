import { useId, useRef } from "react";
import { useIntl } from "react-intl";
import type { BacktestSource } from "#api/backtest.ts";
import { getHistorySources, removeHistoryFiles } from "#api/routes/backtest.ts";
import { backtestLimits } from "#core/backtest/limits.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Progress } from "#ui/figures/Progress.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useHistoryUpload } from "./useHistoryUpload.ts";

/** The person's own price files: upload, contents and removal. */
export function Files({ source }: { source: BacktestSource | null }) {
  const { formatNumber, formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const files = useHistoryUpload();
  const removing = useApiMutation(removeHistoryFiles);
  const remove = async () => {
    await removing.send({}).then(
      () => invalidate(getHistorySources),
      () => undefined,
    );
  };
  const day = (atMs: number) => formatDate(atMs, { dateStyle: "medium", timeZone: "UTC" });
  const failure = files.failure ?? removing.error;
  return (
    <Section
      title={t("backtest.files")}
      note={t("backtest.files.about", {
        files: backtestLimits.files,
        megabytes: backtestLimits.file_bytes / 1024 / 1024,
      })}
    >
      {source?.files.map((file) => (
        <Row
          key={file.name}
          label={<span className="break-all">{file.name}</span>}
          hint={`${day(file.from_ms)} – ${day(file.to_ms - 1)}`}
          value={
            <span className="text-small text-ink-soft">
              {t("backtest.files.minutes", { minutes: formatNumber(file.minutes) })}
            </span>
          }
        />
      ))}
      <div className="flex flex-col gap-3 px-4 py-4">
        {failure ? <ErrorNote>{errorMessage(failure)}</ErrorNote> : null}
        {files.sending ? (
          <>
            <output className="text-small break-all">
              {files.sending.percent < 100
                ? t("backtest.files.sending", files.sending)
                : t("backtest.files.reading", files.sending)}
            </output>
            <Progress value={files.sending.percent} label={t("backtest.files.progress")} />
            <Button variant="quiet" block onClick={files.cancel}>
              {t("backtest.cancel")}
            </Button>
          </>
        ) : (
          <>
            <Picker
              label={t(source ? "backtest.files.replace" : "backtest.files.choose")}
              onPick={(pickedFiles) => void files.send(pickedFiles)}
            />
            {source ? (
              <Button variant="quiet" block busy={removing.isBusy} onClick={() => void remove()}>
                {t("backtest.files.remove")}
              </Button>
            ) : null}
          </>
        )}
        {source?.kept_until_ms ? (
          <p className="text-caption text-ink-faint">
            {t("backtest.files.kept", {
              until: formatDate(source.kept_until_ms, { dateStyle: "medium", timeStyle: "short" }),
            })}
          </p>
        ) : null}
      </div>
    </Section>
  );
}

function Picker({ label, onPick }: { label: string; onPick: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <>
      <Button variant="outline" block onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        id={id}
        type="file"
        accept=".csv,text/csv"
        multiple
        hidden
        aria-label={label}
        onChange={(event) => {
          const pickedFiles = [...(event.target.files ?? [])];
          // Cleared so that choosing the same files again, once corrected, fires a change event.
          event.target.value = "";
          if (pickedFiles.length > 0) onPick(pickedFiles);
        }}
      />
    </>
  );
}
