import { IconHelp, IconLanguage } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { Page } from "#ui/Page.tsx";
import { Link } from "#ui/router.tsx";
import { InboxBell } from "#web/features/inbox/InboxBell.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { Balance } from "#web/screens/home/Balance.tsx";
import { FirstSteps } from "#web/screens/home/FirstSteps.tsx";
import { MarketKind } from "#web/screens/home/MarketKind.tsx";
import { MoneyPlaces } from "#web/screens/home/MoneyPlaces.tsx";
import { Prices } from "#web/screens/home/Prices.tsx";
import { ProductLines } from "#web/screens/home/ProductLines.tsx";
import { Statement } from "#web/screens/home/Statement.tsx";
import { Wordmark } from "#web/screens/home/Wordmark.tsx";

const Learn = lazyComponent(() => import("#web/screens/home/Learn.tsx"), ["wide"]);
const BelowTheFold = lazyComponent(
  () => import("#web/screens/home/BelowTheFold.tsx"),
  ["first-steps"],
);

const iconLink =
  "inline-grid size-11 place-items-center rounded-dock text-ink-soft transition-colors hover:bg-well wide:hidden";

/**
 * The first screen: the person's balance, what can be practised, current prices, and this
 * instance's own counts.
 */
export default function HomePage() {
  const t = useText();
  const language = t("app.language.title");
  const help = t("app.help");
  return (
    <Page
      title={t("app.tab.home")}
      heading={<Wordmark />}
      actions={
        <>
          <span className="wide:hidden">
            <InboxBell />
          </span>
          <Link to="/language" aria-label={language} title={language} className={iconLink}>
            <IconLanguage size={22} stroke={1.5} aria-hidden="true" />
          </Link>
          <Link to="/help" aria-label={help} title={help} className={iconLink}>
            <IconHelp size={22} stroke={1.5} aria-hidden="true" />
          </Link>
        </>
      }
      side={
        <>
          <Prices />
          <BelowTheFold />
          <div className="wide:hidden">
            <Statement />
          </div>
        </>
      }
    >
      <Balance />
      <ProductLines />
      <FirstSteps />
      <MoneyPlaces />
      <Learn />
      <MarketKind />
      <div className="hidden wide:block">
        <Statement />
      </div>
    </Page>
  );
}
