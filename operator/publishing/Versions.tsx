import { useState } from "react";
import type { Kind } from "#core/publishing/bodies.ts";
import { useText } from "#i18n/useText.ts";
import { Differences } from "#operator/publishing/Differences.tsx";
import { isSame } from "#operator/publishing/draftState.ts";
import { useFormatDateTime } from "#operator/publishing/forms/labels.ts";
import { useOperatorName } from "#operator/publishing/forms/useOperatorName.ts";
import { type Body, getCalls } from "#operator/publishing/kinds.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

interface Props {
  kind: Kind;
  id: string;
  /** The current content of the form. */
  body: Body;
  /** Loads an old version into the form, as an unsaved draft. */
  onRestore: (body: Body) => void;
}

/** Every version as published, what each changed, and a button to restore it. */
export function Versions({ kind, id, body, onRestore }: Props) {
  const t = useText();
  const moment = useFormatDateTime();
  const nameOf = useOperatorName();
  const [open, setOpen] = useState<number | null>(null);
  const query = useApiQuery(getCalls(kind).versions, { id });
  const { data, error } = query;
  const items = data?.items ?? [];
  const item = items.find(({ version }) => version === open);
  const previousVersion = items.find(({ version }) => version === (open ?? 0) - 1);
  const title = (version: number) => t("publishing.version", { version });
  return (
    <Section title={t("publishing.versions")} note={t("publishing.versions.note")}>
      <QueryError query={query} />
      {data || error ? null : <SkeletonRows count={2} />}
      {items.map(({ version, published_at_ms: atMs, published_by: by }) => (
        <Row
          key={version}
          label={title(version)}
          hint={t("publishing.versions.by", { time: moment(atMs), who: nameOf(by) })}
          onClick={() => setOpen(version)}
        />
      ))}
      {data && items.length === 0 ? (
        <p className="px-4 py-3 text-small text-ink-soft">{t("publishing.versions.none")}</p>
      ) : null}
      <Sheet
        open={open !== null}
        onOpenChange={(next) => {
          if (!next) setOpen(null);
        }}
        title={open === null ? "" : title(open)}
        description={
          previousVersion
            ? t("publishing.versions.since", { version: previousVersion.version })
            : t("publishing.versions.first")
        }
        actions={
          item && !isSame(item.body, body) ? (
            <Button
              block
              onClick={() => {
                onRestore(item.body as Body);
                setOpen(null);
              }}
            >
              {t("publishing.versions.restore")}
            </Button>
          ) : undefined
        }
      >
        {item ? <Differences before={previousVersion?.body ?? null} after={item.body} /> : null}
      </Sheet>
    </Section>
  );
}
