import { useLayoutEffect, useState } from "react";
import { getTabAt, type Tab, tabPaths } from "#core/screens/screens.ts";
import { useLocation, useNavigationType } from "#ui/router.tsx";
import { createEntryState } from "#web/lib/entryState.ts";

const isTab = (value: unknown): value is Tab => (tabPaths as readonly unknown[]).includes(value);
const tabs = createEntryState("tabs", isTab);

/** The tab of the current history entry: the screen's tab, or the tab that the reader came from. */
export function useActiveTab(): Tab | null {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const [entry, setEntry] = useState<{ key: string; tab: Tab | null }>({
    key,
    tab: getTabAt(pathname, tabs.get(key) ?? null),
  });
  let { tab } = entry;
  if (entry.key !== key) {
    tab = getTabAt(pathname, type === "POP" ? (tabs.get(key) ?? null) : entry.tab);
    setEntry({ key, tab });
  }
  useLayoutEffect(() => {
    if (tab) tabs.set(key, tab);
  }, [key, tab]);
  return tab;
}
