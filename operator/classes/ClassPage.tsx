import { useState } from "react";
import { getClass } from "#api/routes/operator/classes.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useMayChange } from "#operator/app/useOperator.ts";
import { AnnounceSheet } from "#operator/classes/AnnounceSheet.tsx";
import { ClockSection } from "#operator/classes/ClockSection.tsx";
import { LessonSection } from "#operator/classes/LessonSection.tsx";
import { LinkSheet } from "#operator/classes/LinkSheet.tsx";
import { Links } from "#operator/classes/Links.tsx";
import { RoomPage } from "#operator/classes/RoomPage.tsx";
import { Switches } from "#operator/classes/Switches.tsx";
import { Button } from "#ui/Button.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/**
 * Everything for teaching a class: links, the switches of this instance, announcements; with
 * `?room=` codes and tasks of one class. No results, and no list of people.
 */
export default function ClassPage() {
  const [query] = useSearchParams();
  const room = query.get("room");
  return room === null ? <Overview /> : <RoomPage key={room} classId={room} />;
}

function Overview() {
  const t = useText();
  const mayAnnounce = useMayChange("class.announce");
  const mayLink = useMayChange("class.links");
  const [open, setOpen] = useState<"link" | "announce" | null>(null);
  const query = useApiQuery(
    getClass,
    {},
    { refetchMs: (answer) => (answer?.clock.pause ? 2_000 : 15_000) },
  );
  const { data, error } = query;
  return (
    <ConsolePage
      title={t("classes.title")}
      lead={t("classes.lead")}
      actions={
        mayAnnounce ? (
          <Button size="small" variant="outline" onClick={() => setOpen("announce")}>
            {t("classes.announce")}
          </Button>
        ) : null
      }
    >
      <QueryError query={query} />
      {data ? (
        <div className="grid grid-cols-1 gap-x-8 wide:grid-cols-2">
          <div className="min-w-0">
            <Section
              title={t("classes.links")}
              note={t("classes.links.note")}
              action={
                mayLink ? (
                  <Button size="small" onClick={() => setOpen("link")}>
                    {t("classes.link.make")}
                  </Button>
                ) : null
              }
            >
              <Links links={data.links} nowMs={data.now_ms} />
            </Section>
          </div>
          <div className="min-w-0">
            <LessonSection links={data.links} />
            <ClockSection clock={data.clock} />
            <Switches contractsOn={data.contracts_on} signUp={data.sign_up} />
          </div>
        </div>
      ) : error ? null : (
        <SkeletonRows />
      )}
      <LinkSheet isOpen={open === "link"} onClose={() => setOpen(null)} />
      <AnnounceSheet isOpen={open === "announce"} onClose={() => setOpen(null)} />
    </ConsolePage>
  );
}
