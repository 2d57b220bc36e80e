import { useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { endViewings, getViewings, makeViewCode } from "#api/routes/viewing.ts";
import { formatViewCode } from "#core/operator/viewing.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useStreamEvent } from "#web/lib/stream.ts";

interface Code {
  text: string;
  /** In milliseconds, by this browser's clock. */
  untilMs: number;
}

const now = () => Date.now();

/**
 * A code to read out, shown once; who is viewing with it; and a button that ends it at any time.
 */
export default function ViewCodeSheet({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const mutation = useApiMutation(makeViewCode);
  const [code, setCode] = useState<Code | null>(null);
  const viewings = useApiQuery(getViewings, {}, { enabled: open, refetchMs: 15_000 });
  useStreamEvent("viewing", () => {
    setCode(null);
    void invalidate(getViewings);
  });
  const make = async () => {
    const { data } = await mutation.send({});
    setCode({ text: data.code, untilMs: Date.now() + data.expires_at_ms - data.now_ms });
    void invalidate(getViewings);
  };
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) setCode(null);
        onOpenChange(next);
      }}
      title={t("viewing.title")}
      actions={
        <>
          {mutation.error ? <ErrorNote>{errorMessage(mutation.error)}</ErrorNote> : null}
          <Button
            block
            variant={code ? "quiet" : "primary"}
            busy={mutation.isBusy}
            onClick={() => void make().catch(() => undefined)}
          >
            {t(code ? "viewing.again" : "viewing.make")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {code ? (
          <div className="rounded-dock bg-well p-4 text-center">
            <p className="font-mono text-figure tracking-widest select-all" translate="no">
              <span className="sr-only">{Array.from(code.text).join(" ")}</span>
              <span aria-hidden="true">{formatViewCode(code.text)}</span>
            </p>
            <p className="pt-1 text-small text-ink-soft">
              {t("viewing.left")}{" "}
              <Countdown untilMs={code.untilMs} now={now} onEnd={() => setCode(null)} />
            </p>
          </div>
        ) : null}
        <p>{t("viewing.lead")}</p>
        <p className="text-small text-ink-soft">{t("viewing.not")}</p>
        <p className="text-small text-warning">{t("viewing.never")}</p>
        {viewings.error && !viewings.data ? (
          <ErrorNote onRetry={() => void viewings.refetch()} busy={viewings.isFetching}>
            {errorMessage(viewings.error)}
          </ErrorNote>
        ) : viewings.data ? (
          <Now data={viewings.data} onEnded={() => setCode(null)} />
        ) : (
          <SkeletonRows count={1} />
        )}
      </div>
    </Sheet>
  );
}

/** The current viewers, each with their time left, and the button that ends all of them. */
function Now({ data, onEnded }: { data: AnswerOf<typeof getViewings>; onEnded: () => void }) {
  const { formatTime } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error } = useApiMutation(endViewings);
  if (data.items.length === 0 && data.code_until_ms === null) {
    return <p className="text-small text-ink-soft">{t("viewing.nobody")}</p>;
  }
  const end = async () => {
    await send({});
    onEnded();
    await invalidate(getViewings);
  };
  return (
    <div className="flex flex-col gap-3 rounded-dock border border-line p-4">
      {data.items.length === 0 ? <p className="text-small">{t("viewing.waits")}</p> : null}
      {data.items.map((item) => (
        <div key={item.viewing_id}>
          <p className="font-strong">
            {t("viewing.now", { role: t(`permissions.role.${item.role}`) })}
          </p>
          <p className="text-small text-ink-soft">
            {t("viewing.times", {
              from: formatTime(item.opened_at_ms),
              until: formatTime(item.ends_at_ms),
            })}
          </p>
        </div>
      ))}
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      <Button
        block
        variant="danger"
        busy={isBusy}
        onClick={() => void end().catch(() => undefined)}
      >
        {t(data.items.length === 0 ? "viewing.drop" : "viewing.end")}
      </Button>
    </div>
  );
}
