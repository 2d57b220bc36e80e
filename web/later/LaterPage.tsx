import { useIntl } from "react-intl";
import { Link, useLocation } from "react-router";
import { buttonClass } from "#ui/buttonClass.ts";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { laterScreens } from "#web/later/later.ts";
import NotFoundPage from "#web/later/NotFoundPage.tsx";

const drawings = {
  mooring: MooringDrawing,
};

/** A screen that is planned: what it will be, and that it is not there yet. */
export default function LaterPage() {
  const { formatMessage } = useIntl();
  const screen = laterScreens[useLocation().pathname.replace(/\/+$/, "")];
  if (!screen) return <NotFoundPage />;
  const Drawing = drawings[screen.drawing];
  return (
    <Page
      title={formatMessage({ id: screen.title })}
      {...(screen.back === undefined ? {} : { back: screen.back })}
    >
      <div className="pt-6">
        <Empty
          drawing={<Drawing />}
          title={formatMessage({ id: "later.not_yet" })}
          action={
            <Link to="/business" className={buttonClass({ variant: "outline", size: "small" })}>
              {formatMessage({ id: "later.contracts" })}
            </Link>
          }
        >
          {formatMessage({ id: screen.text })}
        </Empty>
      </div>
    </Page>
  );
}
