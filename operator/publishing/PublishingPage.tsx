import { useEffect, useRef } from "react";
import { kindNames } from "#core/publishing/bodies.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useOperator } from "#operator/app/useOperator.ts";
import { EditorPage } from "#operator/publishing/EditorPage.tsx";
import { KindList } from "#operator/publishing/KindList.tsx";
import { getPermission, isKind } from "#operator/publishing/kinds.ts";
import { useSearchParams } from "#ui/router.tsx";
import { Tabs } from "#ui/Tabs.tsx";

/** The instance's publications: a list for each kind this operator may publish, and the editor. */
export default function PublishingPage() {
  const t = useText();
  const me = useOperator();
  const [query, setQuery] = useSearchParams();
  const permittedKinds = kindNames.filter((kind) => me?.permissions.includes(getPermission(kind)));
  const requestedKind = query.get("kind");
  const kind =
    isKind(requestedKind) && permittedKinds.includes(requestedKind)
      ? requestedKind
      : permittedKinds[0];
  const id = query.get("id");
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Seven tabs do not fit on a phone: the selected one is scrolled into view.
    if (kind !== undefined && id === null)
      tabs.current
        ?.querySelector("[role=tab][aria-selected=true]")
        ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [kind, id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: list and editor share a path, and each starts at the top
  useEffect(() => {
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>("[data-page-heading]")?.focus({ preventScroll: true });
  }, [id]);
  if (!kind) return null;
  if (id !== null)
    return (
      <EditorPage key={`${kind}/${id}`} kind={kind} id={id} isNew={query.get("new") === "1"} />
    );
  return (
    <ConsolePage title={t("publishing.title")} lead={t("publishing.lead")}>
      <div ref={tabs} className="pt-2">
        <Tabs
          label={t("publishing.title")}
          value={kind}
          onChange={(next) => setQuery({ kind: next }, { replace: true })}
          tabs={permittedKinds.map((allowedKind) => ({
            value: allowedKind,
            label: t(`publishing.kind.${allowedKind}`),
          }))}
        >
          <KindList key={kind} kind={kind} />
        </Tabs>
      </div>
    </ConsolePage>
  );
}
