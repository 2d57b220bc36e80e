import type { ReactNode } from "react";
import { useText } from "#i18n/useText.ts";
import { createStore, useStore } from "#ui/createStore.ts";
import { browserStorage } from "#web/lib/storage.ts";

const isHidden = createStore(browserStorage.read("hidden") === "yes");

function hide(hidden: boolean): void {
  browserStorage.write("hidden", hidden ? "yes" : "no");
  isHidden.set(hidden);
}

/** Hides amounts from onlookers; stored in this browser and shared by all parts of a page. */
export function useHideAmounts(): [boolean, (isHidden: boolean) => void] {
  return [useStore(isHidden), hide];
}

/** An amount, or dots in its place. */
export function HideableAmount({ hidden, children }: { hidden: boolean; children: ReactNode }) {
  const t = useText();
  if (!hidden) return children;
  return (
    <>
      <span aria-hidden="true">••••</span>
      <span className="sr-only">{t("app.hidden")}</span>
    </>
  );
}
