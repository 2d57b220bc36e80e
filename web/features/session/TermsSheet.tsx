import { useEffect, useRef, useState } from "react";
import { getTerms } from "#api/routes/meta.ts";
import { authorize } from "#api/routes/session.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { enterSession } from "#web/features/session/sessionCache.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/**
 * The practice terms, which must be read to the end before they can be accepted. No wallet is
 * involved.
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
  const { send, busy, error } = useApiMutation(authorize);
  const [read, setRead] = useState(false);
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    setRead(false);
  }

  const accept = async (version: number) => {
    const { msg } = await send({ version });
    await enterSession();
    toast(msg);
    onEnd(true);
  };
  const { data } = terms;
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onEnd(false);
      }}
      title={data?.title ?? t("signin.terms.title")}
      actions={
        <>
          {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
          <p className="text-small text-ink-soft" aria-live="polite">
            {t(read ? "signin.terms.means" : "signin.terms.readOn")}
          </p>
          <Button
            block
            busy={busy}
            disabled={!read || !data}
            onClick={() => {
              if (data) accept(data.version).catch(() => {});
            }}
          >
            {t("signin.terms.accept")}
          </Button>
          <Button block variant="quiet" disabled={busy} onClick={() => onEnd(false)}>
            {t("signin.terms.decline")}
          </Button>
        </>
      }
    >
      {data ? (
        <div className="flex flex-col gap-3 text-small">
          {data.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <End onSeen={() => setRead(true)} />
        </div>
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

/** The end of the text: once visible, the text counts as read. */
function End({ onSeen }: { onSeen: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const seen = useRef(onSeen);
  useEffect(() => {
    const mark = end.current;
    if (!mark) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) seen.current();
    });
    observer.observe(mark);
    return () => observer.disconnect();
  }, []);
  return <div ref={end} className="h-px" />;
}
