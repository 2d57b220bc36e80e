import { IconInfoCircle, IconListDetails } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import { getProductList } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { SpreadDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { usePoolName } from "./figures.tsx";
import { MarketDescription } from "./MarketDescription.tsx";
import { PoolCard } from "./pools/PoolCard.tsx";
import { Totals } from "./pools/Totals.tsx";
import { refetchMs, useHostingUpdates } from "./useHostingUpdates.ts";

const iconLink = "inline-grid size-11 place-items-center rounded-dock text-ink-soft hover:bg-well";

/** `/ai`: what the person has hosted, and every pool with its result. */
export default function HostingPage() {
  const t = useText();
  useHostingUpdates();
  return (
    <Page
      title={t("hosting.title")}
      back="/home"
      actions={
        <>
          <Link to="/ai/intro" aria-label={t("hosting.intro.title")} className={iconLink}>
            <IconInfoCircle size={20} aria-hidden="true" />
          </Link>
          <Link to="/ai/record" aria-label={t("hosting.record.title")} className={iconLink}>
            <IconListDetails size={20} aria-hidden="true" />
          </Link>
        </>
      }
      grid
    >
      <Totals />
      <Pools />
      <Section className="wide:col-span-6">
        <Row label={t("hosting.intro.title")} to="/ai/intro" />
        <Row label={t("hosting.history.link")} to="/ai/intro?do=history" />
        <Row label={t("hosting.run.title")} to="/robot-run-page" />
      </Section>
      <p className="max-w-120 px-4 pt-4 text-small text-ink-soft wide:col-span-6 wide:pt-8">
        {t("hosting.not_yield")}
      </p>
    </Page>
  );
}

function Pools() {
  const t = useText();
  const { formatList } = useIntl();
  const errorMessage = useErrorMessage();
  const { name } = usePoolName();
  const list = useApiQuery(getProductList, {}, { refetchMs });
  if (list.isError && !list.data) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void list.refetch()}>{errorMessage(list.error)}</ErrorNote>
      </div>
    );
  }
  if (!list.data) return <SkeletonRows count={8} />;
  const { items, not_offered: notOffered } = list.data;
  const first = items[0];
  return (
    <section className="mt-6 flex flex-col gap-3 px-4" aria-labelledby="hosting-pools">
      <h2 id="hosting-pools" className="font-strong">
        {t("hosting.pools")}
      </h2>
      <p className="text-pretty">{t("hosting.no_ai")}</p>
      {first ? (
        <MarketDescription market={first.market} />
      ) : (
        <Empty drawing={<SpreadDrawing />} title={t("hosting.pools.none")} />
      )}
      <ul className="grid gap-3 pane:grid-cols-2 wide:grid-cols-3">
        {items.map((pool) => (
          <li key={pool.product_id}>
            <PoolCard pool={pool} />
          </li>
        ))}
      </ul>
      {notOffered.map((pool) => (
        <p key={pool.product_id} className="text-small text-ink-soft">
          {t("hosting.pools.missing", {
            pool: name(pool.strategy),
            missing: formatList(pool.missing),
          })}
        </p>
      ))}
    </section>
  );
}
