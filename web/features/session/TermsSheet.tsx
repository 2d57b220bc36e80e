import { IconCheck } from "@tabler/icons-react";
import { getTerms } from "#api/routes/meta.ts";
import { authorize } from "#api/routes/session.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Fold } from "#ui/Fold.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { enterSession } from "#web/features/session/sessionCache.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

const lines = ["money", "permits", "results", "rules", "stored"] as const;

/**
 * The practice terms in five lines, with the whole text one press away. They can be accepted
 * immediately: forced scrolling trains people to click through what they have not read. No wallet
 * is involved.
 */
export default function TermsSheet({
  open,
  onEnd,
}: {
  open: boolean;
  onEnd: (accepted: boolean) => void;
}) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const terms = useApiQuery(getTerms, {}, { enabled: open, staleMs: 0 });
  const { send, isBusy, error } = useApiMutation(authorize);
  const accept = async (version: number) => {
    await send({ version });
    await enterSession();
    // No toast: it would cover what the person asked for, which opens now.
    onEnd(true);
  };
  const { data } = terms;
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onEnd(false);
      }}
      title={data?.title ?? t("sign-in.terms.title")}
      actions={
        <>
          {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
          <p className="text-small text-ink-soft">{t("sign-in.terms.means")}</p>
          <Button
            block
            busy={isBusy || !data}
            onClick={() => {
              if (data) accept(data.version).catch(() => {});
            }}
          >
            {t("sign-in.terms.accept")}
          </Button>
          <Button block variant="quiet" disabled={isBusy} onClick={() => onEnd(false)}>
            {t("sign-in.terms.decline")}
          </Button>
        </>
      }
    >
      {data ? (
        <>
          <ul className="flex flex-col gap-3">
            {lines.map((line) => (
              <li key={line} className="flex gap-3">
                <IconCheck size={20} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-soft" />
                <span className="min-w-0">{t(`sign-in.terms.line.${line}`)}</span>
              </li>
            ))}
          </ul>
          <div className="mt-3">
            <Fold label={t("sign-in.terms.whole")}>
              <div className="flex flex-col gap-3 text-small">
                <p className="text-ink-soft">{t("sign-in.terms.whole.note")}</p>
                {data.paragraphs.map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
              </div>
            </Fold>
          </div>
        </>
      ) : terms.error ? (
        <ErrorNote onRetry={() => void terms.refetch()} busy={terms.isFetching}>
          {errorMessage(terms.error)}
        </ErrorNote>
      ) : (
        <SkeletonRows count={6} />
      )}
    </Sheet>
  );
}
