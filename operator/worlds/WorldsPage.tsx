import { useState } from "react";
import { useIntl } from "react-intl";
import type { WorldView } from "#api/operator/worlds.ts";
import { getWorlds } from "#api/routes/operator/worlds.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useMayChange } from "#operator/app/useOperator.ts";
import { CreateWorldSheet } from "#operator/worlds/CreateWorldSheet.tsx";
import { WorldSheet } from "#operator/worlds/WorldSheet.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** A requested change of a world takes effect within seconds. */
const refetchMs = 4_000;

/** The worlds that this program serves, for the owner of its main world. */
export default function WorldsPage() {
  const t = useText();
  const mayChange = useMayChange("instance.worlds");
  const [creating, setCreating] = useState(false);
  const [openName, setOpenName] = useState<string | null>(null);
  const query = useApiQuery(getWorlds, {}, { refetchMs });
  const { data, error } = query;
  const open = data?.items.find(({ name }) => name === openName) ?? null;
  return (
    <ConsolePage
      title={t("console.nav.worlds")}
      lead={t("worlds.lead")}
      actions={
        mayChange && data?.here ? (
          <Button size="small" onClick={() => setCreating(true)}>
            {t("worlds.new")}
          </Button>
        ) : null
      }
    >
      <QueryError query={query} />
      {data && !data.here ? <p className="p-4">{t("worlds.elsewhere")}</p> : null}
      {data?.here ? (
        <Section title={t("worlds.list")}>
          {data.items.map((world) => (
            <WorldRow key={world.name} world={world} onOpen={() => setOpenName(world.name)} />
          ))}
          {data.items.length < 2 ? (
            <p className="px-4 py-3 text-small text-ink-soft">{t("worlds.empty")}</p>
          ) : null}
        </Section>
      ) : null}
      {!data && !error ? <SkeletonRows /> : null}
      <CreateWorldSheet open={creating} onClose={() => setCreating(false)} />
      <WorldSheet world={open} mayChange={mayChange} onClose={() => setOpenName(null)} />
    </ConsolePage>
  );
}

function WorldRow({ world, onOpen }: { world: WorldView; onOpen: () => void }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { name, code, address, state, main, remove_after_ms: removeAfterMs } = world;
  return (
    <Row
      label={
        <>
          {name} {main ? <Badge>{t("worlds.main")}</Badge> : null}
        </>
      }
      hint={
        <>
          <span className="font-mono">{code}</span> · <span className="break-all">{address}</span>
          {removeAfterMs === null ? null : (
            <span className="block text-warning">
              {t("worlds.removal")} {formatDate(removeAfterMs, { dateStyle: "medium" })}
            </span>
          )}
        </>
      }
      value={t(`worlds.state.${state}`)}
      onClick={onOpen}
    />
  );
}
