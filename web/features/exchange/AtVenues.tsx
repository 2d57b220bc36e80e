import { useConfig } from "#web/lib/api/useConfig.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import type { AtVenuesProps } from "./AtVenuesBody.tsx";

const Body = lazyComponent<AtVenuesProps>(
  () => import("#web/features/exchange/AtVenuesBody.tsx"),
  ["exchange"],
  null,
);

/** An exchange beside its result at real venues; renders nothing in other markets. */
export function AtVenues(props: AtVenuesProps) {
  const config = useConfig();
  return config?.world.market.kind === "live" ? <Body {...props} /> : null;
}
