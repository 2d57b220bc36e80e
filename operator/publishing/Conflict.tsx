import { useText } from "#i18n/useText.ts";
import { Differences } from "#operator/publishing/Differences.tsx";
import { getServerBody } from "#operator/publishing/draftState.ts";
import { useFormatDateTime } from "#operator/publishing/forms/labels.ts";
import { useOperatorName } from "#operator/publishing/forms/useOperatorName.ts";
import type { Editor } from "#operator/publishing/useEditor.ts";
import { Button } from "#ui/Button.tsx";

/**
 * Another operator saved in the meantime: shows both versions side by side and asks which to
 * continue with. Neither is lost.
 */
export function Conflict({ editor }: { editor: Editor }) {
  const t = useText();
  const moment = useFormatDateTime();
  const nameOf = useOperatorName();
  const { remote, form } = editor;
  if (!remote || !form) return null;
  const sides = [
    ["theirs", getServerBody(remote)],
    ["yours", form.body],
  ] as const;
  return (
    <section
      role="alert"
      className="mx-4 mt-4 flex flex-col gap-4 rounded-dock border border-warning bg-warning-wash p-4"
    >
      <div>
        <h2 className="font-strong">{t("publishing.conflict.title")}</h2>
        <p className="mt-1 text-small">
          {t("publishing.conflict.text", {
            who: nameOf(remote.changed_by),
            time: moment(remote.changed_at_ms),
          })}
        </p>
      </div>
      <div className="grid grid-cols-1 gap-4 wide:grid-cols-2">
        {sides.map(([side, body]) => (
          <div key={side} className="min-w-0 rounded-dock bg-paper p-3">
            <h3 className="mb-2 text-small font-strong">{t(`publishing.conflict.${side}`)}</h3>
            <Differences before={form.base} after={body} />
          </div>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={editor.busy} onClick={() => void editor.keepMine()}>
          {t("publishing.conflict.keep")}
        </Button>
        <Button size="small" variant="outline" onClick={editor.takeRemote}>
          {t("publishing.conflict.take")}
        </Button>
      </div>
    </section>
  );
}
