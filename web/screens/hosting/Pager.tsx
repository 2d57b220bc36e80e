import { useState } from "react";
import { useIntl } from "react-intl";
import { Button } from "#ui/Button.tsx";

export interface Place {
  page: number;
  /** From the first page, so that what is added meanwhile does not shift the rest. */
  before?: string;
}

/** Which page of a list is shown; going back to the first one forgets its anchor, so that it shows what is new. */
export function usePlace() {
  return useState<Place>({ page: 1 });
}

interface PagerProps {
  place: Place;
  list: { has_more: boolean; before: string | null };
  onGo: (place: Place) => void;
}

/** Newer and older, where there is either. */
export function Pager({ place, list, onGo }: PagerProps) {
  const { formatMessage } = useIntl();
  if (place.page === 1 && !list.has_more) return null;
  const go = (page: number) => {
    const before = place.before ?? list.before;
    onGo(page === 1 || before === null ? { page } : { page, before });
  };
  return (
    <div className="flex justify-between gap-3 px-4 py-3">
      <Button
        variant="outline"
        size="small"
        disabled={place.page === 1}
        onClick={() => go(place.page - 1)}
      >
        {formatMessage({ id: "hosting.newer" })}
      </Button>
      <Button
        variant="outline"
        size="small"
        disabled={!list.has_more}
        onClick={() => go(place.page + 1)}
      >
        {formatMessage({ id: "hosting.older" })}
      </Button>
    </div>
  );
}
