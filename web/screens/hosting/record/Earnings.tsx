import { useIntl } from "react-intl";
import { getDailyEarnings } from "#api/routes/hosting.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { Figure, usePoolName } from "../figures.tsx";
import { Pager, usePlace } from "../Pager.tsx";
import { againMs } from "../useHostingUpdates.ts";

/** What each world day made or lost in each pool; a loss stands as large as a gain. */
export function Earnings() {
  const { formatMessage, formatDate } = useIntl();
  const sentence = useSentence();
  const { name } = usePoolName();
  const [place, setPlace] = usePlace();
  const list = useCall(
    getDailyEarnings,
    { page_size: 20, ...place },
    { refetchMs: againMs, keepPrevious: true },
  );
  if (list.isError && !list.data) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void list.refetch()}>{sentence(list.error)}</ErrorNote>
      </div>
    );
  }
  if (!list.data) return <SkeletonRows />;
  if (list.data.items.length === 0 && place.page === 1) {
    return (
      <Empty
        drawing={<EmptyDockDrawing />}
        title={formatMessage({ id: "hosting.record.none.daily" })}
      />
    );
  }
  return (
    <>
      <p className="px-4 py-3 text-small text-ink-soft">
        {formatMessage({ id: "hosting.daily.text" })}
      </p>
      <div className="hairlines border-y border-line">
        {list.data.items.map((day) => (
          <Row
            key={`${day.product_id} ${day.day_at_ms}`}
            label={formatDate(day.day_at_ms, { dateStyle: "medium", timeZone: "UTC" })}
            hint={
              <>
                {name(day.strategy)}
                <br />
                {formatMessage({ id: "hosting.nav.short" })} <Figure value={day.nav_from} /> →{" "}
                <Figure value={day.nav_to} />
              </>
            }
            value={<Amount value={day.earned} coin="pUSDT" signed toned />}
          />
        ))}
      </div>
      <Pager place={place} list={list.data} onGo={setPlace} />
    </>
  );
}
