import type { UseQueryResult } from "@tanstack/react-query";
import type { ApiError } from "#api/client.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

type FailedQuery = Pick<
  UseQueryResult<unknown, ApiError>,
  "data" | "error" | "isFetching" | "refetch"
>;

/**
 * Says why a query has no answer, with a button that retries; renders nothing once there is an
 * answer.
 */
export function QueryError({ query }: { query: FailedQuery }) {
  const errorMessage = useErrorMessage();
  const { data, error, isFetching, refetch } = query;
  if (!error || data !== undefined) return null;
  return (
    <div className="p-4">
      <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
        {errorMessage(error)}
      </ErrorNote>
    </div>
  );
}
