import { useState } from "react";
import { useStore } from "#ui/createStore.ts";
import { searchOpen } from "#web/app/search/searchOpen.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

const SearchSheet = lazyComponent(
  () => import("#web/app/search/SearchSheet.tsx"),
  [
    "wallet-requests",
    "binary-warning",
    "contracts",
    "wide",
    "help",
    "hosting",
    "identity",
    "invites",
    "lesson",
    "mining",
    "posts",
    "permissions",
    "records",
    "safety",
    "wallet",
    "withdraw",
  ],
  null,
);

/** The search over everything, loaded when it is first opened. */
export function SearchHost() {
  const open = useStore(searchOpen);
  const [hasOpened, setHasOpened] = useState(open);
  if (open && !hasOpened) setHasOpened(true);
  return hasOpened ? <SearchSheet open={open} /> : null;
}
