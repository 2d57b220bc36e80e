import type { ReactNode } from "react";
import type { ApiError } from "#api/client.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useFigures } from "./figures.ts";

/** A query, or the first page of a list. */
interface QueryResult<Answer> {
  data: Answer | undefined;
  error: ApiError | null;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
}

/** Loading and error states; if a refetch fails, the known data stays, marked as old. */
export function QueryState<Answer>({
  query,
  children,
}: {
  query: QueryResult<Answer>;
  children: (answer: Answer) => ReactNode;
}) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { time } = useFigures();
  const { data, error, refetch, isFetching, dataUpdatedAt } = query;
  const failed = error ? (
    <div className="p-4">
      <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
        {errorMessage(error)}
        {data ? <> {t("instance.old", { time: time(dataUpdatedAt) })}</> : null}
      </ErrorNote>
    </div>
  ) : null;
  if (!data) return failed ?? <SkeletonRows count={8} />;
  return (
    <>
      {failed}
      {children(data)}
    </>
  );
}

/** The time of the figures. Not announced on each change: it changes every few seconds. */
export function AsOf({ atMs }: { atMs: number }) {
  const t = useText();
  const { time } = useFigures();
  return (
    <p className="text-caption text-ink-faint tabular-nums">
      {t("instance.asOf", { time: time(atMs) })}
    </p>
  );
}
