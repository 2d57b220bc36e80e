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
import { type TableColumn, TableHead, TableRow } from "#ui/TableRow.tsx";
import { useWide } from "#ui/useWide.ts";
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
          <WorldList worlds={data.items} onOpen={setOpenName} />
          {data.items.length < 2 ? (
            <p className="px-4 py-3 text-small text-ink-soft">{t("worlds.empty")}</p>
          ) : null}
        </Section>
      ) : null}
      {!data && !error ? <SkeletonRows /> : null}
      <CreateWorldSheet isOpen={creating} onClose={() => setCreating(false)} />
      <WorldSheet world={open} mayChange={mayChange} onClose={() => setOpenName(null)} />
    </ConsolePage>
  );
}

/** The worlds as a table where there is room for its columns, otherwise as rows. */
function WorldList({
  worlds,
  onOpen,
}: {
  worlds: readonly WorldView[];
  onOpen: (name: string) => void;
}) {
  const isTable = useWide();
  const columns = useColumns();
  const Item = isTable ? WorldTableRow : WorldRow;
  return (
    <>
      {isTable ? <TableHead layout={layout} columns={columns} /> : null}
      {worlds.map((world) => (
        <Item key={world.name} world={world} onOpen={() => onOpen(world.name)} />
      ))}
    </>
  );
}

const layout = "grid-cols-[minmax(0,4fr)_6rem_minmax(0,5fr)_6rem_6rem_5rem]";

type ColumnName = "name" | "code" | "address" | "made" | "removal" | "state";

function useColumns(): TableColumn<ColumnName>[] {
  const t = useText();
  return [
    { id: "name", head: t("worlds.name"), className: "break-words" },
    { id: "code", head: t("worlds.code"), className: "font-mono" },
    { id: "address", head: t("worlds.address"), className: "break-all text-ink-soft" },
    { id: "made", head: t("worlds.made"), end: true, className: "text-ink-soft" },
    { id: "removal", head: t("worlds.removal"), end: true },
    { id: "state", head: t("worlds.state"), end: true },
  ];
}

interface WorldItemProps {
  world: WorldView;
  onOpen: () => void;
}

function WorldTableRow({ world, onOpen }: WorldItemProps) {
  const { formatDate } = useIntl();
  const t = useText();
  const columns = useColumns();
  const date = (atMs: number) => formatDate(atMs, { dateStyle: "medium" });
  const { name, code, address, state, main, made_at_ms: madeAtMs } = world;
  const removeAfterMs = world.remove_after_ms;
  return (
    <TableRow
      layout={layout}
      columns={columns}
      cells={{
        name: (
          <>
            {name} {main ? <Badge>{t("worlds.main")}</Badge> : null}
          </>
        ),
        code,
        address,
        made: date(madeAtMs),
        removal: removeAfterMs === null ? "—" : date(removeAfterMs),
        state: t(`worlds.state.${state}`),
      }}
      onClick={onOpen}
    />
  );
}

function WorldRow({ world, onOpen }: WorldItemProps) {
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
