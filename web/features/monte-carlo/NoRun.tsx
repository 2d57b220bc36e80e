import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface NoRunProps {
  query: { isError: boolean; error: Error | null; refetch: () => Promise<unknown> };
  failed: boolean;
  /** The history was read, and nothing could start in it. */
  isEmpty: boolean;
}

/** Shown in place of a run: why there is none, or that it is being computed. */
export function NoRun({ query, failed, isEmpty }: NoRunProps) {
  const t = useText();
  const errorMessage = useErrorMessage();
  if (query.isError) {
    return <ErrorNote onRetry={() => void query.refetch()}>{errorMessage(query.error)}</ErrorNote>;
  }
  if (failed) return <ErrorNote>{t("monte-carlo.failed")}</ErrorNote>;
  if (isEmpty) return <p className="py-8 text-small">{t("monte-carlo.none")}</p>;
  return (
    <>
      <output className="sr-only">{t("monte-carlo.busy")}</output>
      <Skeleton height="360px" />
    </>
  );
}
