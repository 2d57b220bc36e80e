import { useText } from "#i18n/useText.ts";
import { Page } from "#ui/Page.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { usePanes } from "#ui/useWide.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { HelpAside } from "#web/screens/help/HelpAside.tsx";
import { HelpIndex } from "#web/screens/help/HelpIndex.tsx";
import { isView, type ViewName } from "#web/screens/help/views.ts";

const ArticleView = lazyComponent(
  () => import("#web/screens/help/articles/ArticleView.tsx"),
  ["help"],
);
const OtherArticles = lazyComponent(
  () => import("#web/screens/help/articles/OtherArticles.tsx"),
  ["help"],
);
const PromisesView = lazyComponent(
  () => import("#web/screens/help/promises/PromisesView.tsx"),
  ["help", "receipt"],
);
const WithdrawalsView = lazyComponent(
  () => import("#web/screens/help/WithdrawalsView.tsx"),
  ["help", "withdraw"],
);
const FlagsView = lazyComponent(
  () => import("#web/screens/help/flags/FlagsView.tsx"),
  ["help", "safety"],
);
const FlagsAside = lazyComponent(
  () => import("#web/screens/help/flags/FlagsAside.tsx"),
  ["help", "safety"],
);
const CaughtView = lazyComponent(
  () => import("#web/screens/help/caught/ScamReports.tsx"),
  ["help", "safety"],
);
const BinaryView = lazyComponent(
  () => import("#web/screens/help/binary/BinaryView.tsx"),
  ["help", "binary-warning"],
);
const PowersView = lazyComponent(
  () => import("#web/screens/help/powers/PowersView.tsx"),
  ["permissions"],
);

const LessonView = lazyComponent(
  () => import("#web/screens/help/lesson/LessonView.tsx"),
  ["lesson"],
);

const SittingView = lazyComponent(
  () => import("#web/screens/help/sitting/SittingView.tsx"),
  ["sitting"],
);

const ThiefView = lazyComponent(
  () => import("#web/screens/help/thief/ThiefView.tsx"),
  ["help", "thief"],
);

const views: Record<ViewName, typeof ArticleView> = {
  article: ArticleView,
  promises: PromisesView,
  withdrawals: WithdrawalsView,
  "red-flags": FlagsView,
  caught: CaughtView,
  binary: BinaryView,
  lesson: LessonView,
  sitting: SittingView,
  thief: ThiefView,
  powers: PowersView,
};

/** `/help`: search and the list of everything; with `?view=` one part of it. */
export default function HelpPage() {
  const t = useText();
  const [query] = useSearchParams();
  const panes = usePanes();
  const requestedView = query.get("view");
  const view = isView(requestedView) ? requestedView : null;
  if (view) {
    const View = views[view];
    const isFlagBeside = panes && view === "red-flags" && query.has("flag");
    return (
      <Page
        key={view}
        title={t(`help.view.${view}`)}
        back="/help"
        side={isFlagBeside ? <FlagsAside /> : view === "article" ? <OtherArticles /> : undefined}
        grid={view === "lesson" || view === "sitting" || view === "thief"}
      >
        <View />
      </Page>
    );
  }
  return (
    <Page
      title={t("help.title")}
      back="/ucenter"
      side={<HelpAside />}
      sideWideOnly={(query.get("q") ?? "") !== ""}
    >
      <HelpIndex />
    </Page>
  );
}
