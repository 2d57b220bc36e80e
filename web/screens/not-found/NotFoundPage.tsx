import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { CompassDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { Link } from "#ui/router.tsx";

/** Shown for an unknown path. */
export default function NotFoundPage() {
  const t = useText();
  return (
    <Page title={t("not-found.title")} back="/home">
      <div className="pt-6">
        <Empty
          drawing={<CompassDrawing />}
          title={t("not-found.text")}
          action={
            <Link to="/home" className={buttonClass({ size: "small" })}>
              {t("not-found.home")}
            </Link>
          }
        />
      </div>
    </Page>
  );
}
