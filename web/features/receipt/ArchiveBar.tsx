import { useEffect } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { useLocation } from "#ui/router.tsx";

/** The address, outside the app, where the server lists the contents of an archive. */
const contents = "/archive";

/**
 * Says above the screen that this is an archive, not a running world. Only the verification screen
 * works in one; every other screen links to the list of contents.
 */
export default function ArchiveBar({
  world,
  last_second_ms: lastMs,
}: {
  world: string;
  last_second_ms: number;
}) {
  const { formatDate } = useIntl();
  const t = useText();
  const { pathname } = useLocation();
  useEffect(() => {
    if (pathname !== "/verify") location.replace(contents);
  }, [pathname]);
  const date = formatDate(lastMs, { dateStyle: "medium", timeZone: "UTC" });
  return (
    <output className="block bg-warning-wash px-4 py-2 text-center text-small text-balance text-warning">
      {t("archived-world.bar", { world, date })}{" "}
      <a href={contents} className="underline">
        {t("archived-world.contents")}
      </a>
    </output>
  );
}
