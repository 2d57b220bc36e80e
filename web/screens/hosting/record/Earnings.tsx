import { useIntl } from "react-intl";
import { getDailyEarnings } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { Figure, usePoolName } from "../figures.tsx";
import { refetchMs } from "../useHostingUpdates.ts";

/** Each world day's result in each pool or in one; a loss is shown as large as a gain. */
export function Earnings({ poolId }: { poolId: string | null }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { name } = usePoolName();
  const list = useApiPages(
    getDailyEarnings,
    { page_size: 20, ...(poolId === null ? {} : { product_id: poolId }) },
    { refetchMs },
  );
  return (
    <>
      {list.items?.length ? (
        <p className="border-b border-line px-4 py-3 text-small text-ink-soft">
          {t("hosting.daily.text")}
        </p>
      ) : null}
      <PagedList
        list={list}
        keyOf={(day) => `${day.product_id} ${day.day_at_ms}`}
        empty={
          <Empty
            drawing={<EmptyDockDrawing />}
            title={t(`hosting.record.none.${poolId === null ? "daily" : "pool"}`)}
          />
        }
      >
        {(day) => (
          <Row
            label={formatDate(day.day_at_ms, { dateStyle: "medium", timeZone: "UTC" })}
            hint={
              <>
                {name(day.strategy)}
                <br />
                {t("hosting.nav.short")} <Figure value={day.nav_from} /> →{" "}
                <Figure value={day.nav_to} />
              </>
            }
            value={<Amount short="worth" value={day.earned} coin="pUSDT" signed toned />}
          />
        )}
      </PagedList>
    </>
  );
}
