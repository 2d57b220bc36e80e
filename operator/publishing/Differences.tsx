import { useText } from "#i18n/useText.ts";
import { type DraftChange, diffLines, listChanges } from "#operator/publishing/differences.ts";
import { useFieldName, useValueText } from "#operator/publishing/forms/labels.ts";
import { cx } from "#ui/cx.ts";

/**
 * The changes from one body to the other, field by field. With nothing before, everything is new.
 */
export function Differences({ before, after }: { before: unknown; after: unknown }) {
  const t = useText();
  const placeName = useFieldName();
  const changes = listChanges(before, after);
  if (changes.length === 0) {
    return <p className="text-small text-ink-soft">{t("publishing.diff.none")}</p>;
  }
  return (
    <dl className="flex flex-col gap-3 text-small">
      {changes.map((change) => (
        <div key={change.path}>
          <dt className="font-strong">{placeName(change.path)}</dt>
          <dd className="mt-1">
            <Change change={change} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Not the colours of gains and losses, which swap with the language. */
const lineLooks = {
  removed: "bg-flare-wash text-flare line-through decoration-1",
  added: "bg-tide-wash text-tide",
  same: "text-ink-soft",
};

/** Removed and added differ by mark and word as well as by colour. */
function Change({ change: { path, before, after } }: { change: DraftChange }) {
  const t = useText();
  const valueText = useValueText();
  const parts = diffLines(
    before === null ? "" : valueText(path, before),
    after === null ? "" : valueText(path, after),
  );
  return (
    <div className="overflow-hidden rounded-dock border border-line">
      {parts.map(({ kind, text }, index) => {
        const mark = kind === "added" ? "+" : kind === "removed" ? "−" : " ";
        return (
          <p
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one comparison never change places
            key={index}
            className={cx("flex gap-2 px-2.5 py-1 break-words", lineLooks[kind])}
          >
            <span aria-hidden="true" className="w-2 shrink-0 font-mono no-underline">
              {mark}
            </span>
            {kind === "same" ? null : (
              <span className="sr-only">{t(`publishing.diff.${kind}`)}</span>
            )}
            <span className="min-w-0 flex-1">{text || " "}</span>
          </p>
        );
      })}
    </div>
  );
}
