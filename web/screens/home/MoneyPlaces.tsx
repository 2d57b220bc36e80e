import { useSession } from "#web/features/session/useSession.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

const Body = lazyComponent(
  () => import("#web/screens/home/MoneyPlacesBody.tsx"),
  ["results"],
  null,
);

/** Where the person's money is; its space is reserved, so that nothing under it moves. */
export function MoneyPlaces() {
  const { status } = useSession();
  return status === "signed_in" ? (
    <div className="min-h-47 px-4 pt-6">
      <Body />
    </div>
  ) : null;
}
