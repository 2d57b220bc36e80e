import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useIntl } from "react-intl";
import type { CallError } from "#api/client.ts";
import { Button } from "#ui/Button.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useSentence } from "#web/lib/useErrorMessage.ts";

interface At {
  page: number;
  before?: string;
}

/** Which page of a list is asked for; the first answer's cursor keeps the later ones still. */
export function usePages() {
  const [at, setAt] = useState<At>({ page: 1 });
  const turn = (page: number, before: string | null | undefined) =>
    setAt(before && page > 1 ? { page, before } : { page: 1 });
  return { asked: { ...at, page_size: 10 }, turn };
}

interface Props<Item> {
  answer: UseQueryResult<
    { items: Item[]; page: number; has_more: boolean; before: string | null },
    CallError
  >;
  onTurn: (page: number, before: string | null | undefined) => void;
  /** What is said when there is nothing. */
  none: string;
  children: (item: Item) => ReactNode;
}

/** A page of a list with what loading, failing and emptiness look like, and the way to the next. */
export function Paged<Item>({ answer, onTurn, none, children }: Props<Item>) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { data, error, refetch, isFetching } = answer;
  if (error && !data) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
          {sentence(error)}
        </ErrorNote>
      </div>
    );
  }
  if (!data) return <SkeletonRows />;
  if (data.items.length === 0 && data.page === 1) return <Empty title={none} />;
  return (
    <>
      <div className="hairlines border-b border-line">{data.items.map(children)}</div>
      {data.page > 1 || data.has_more ? (
        <div className="flex justify-between gap-3 px-4 pt-4">
          <Button
            variant="outline"
            size="small"
            disabled={data.page === 1}
            onClick={() => onTurn(data.page - 1, data.before)}
          >
            {formatMessage({ id: "console.audit.newer" })}
          </Button>
          <Button
            variant="outline"
            size="small"
            disabled={!data.has_more}
            onClick={() => onTurn(data.page + 1, data.before)}
          >
            {formatMessage({ id: "console.audit.older" })}
          </Button>
        </div>
      ) : null}
    </>
  );
}
