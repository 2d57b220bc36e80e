import { useIntl } from "react-intl";
import { Link } from "react-router";
import { buttonClass } from "#ui/buttonClass.ts";
import { CompassDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";

/** No screen has this address. */
export default function NotFoundPage() {
  const { formatMessage } = useIntl();
  return (
    <Page title={formatMessage({ id: "not_found.title" })} back="/home">
      <div className="pt-6">
        <Empty
          drawing={<CompassDrawing />}
          title={formatMessage({ id: "not_found.text" })}
          action={
            <Link to="/home" className={buttonClass({ size: "small" })}>
              {formatMessage({ id: "not_found.home" })}
            </Link>
          }
        />
      </div>
    </Page>
  );
}
