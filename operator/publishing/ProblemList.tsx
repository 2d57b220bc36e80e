import { useText } from "#i18n/useText.ts";
import { useFieldName } from "#operator/publishing/forms/labels.ts";
import type { PublishingProblems } from "#operator/publishing/usePreview.ts";

/** Why something cannot be published, each problem with its location and figures. */
export function ProblemList({ title, problems }: { title: string; problems: PublishingProblems }) {
  const t = useText();
  const placeName = useFieldName();
  if (problems.length === 0) return null;
  return (
    <div
      role="alert"
      className="rounded-dock border border-flare bg-flare-wash px-4 py-3 text-small"
    >
      <p className="font-strong text-flare">{title}</p>
      <ul className="mt-1.5 flex list-disc flex-col gap-1.5 pl-4">
        {problems.map(({ error, at, message }) => (
          <li key={`${error}/${at}`}>
            {at === "" || at === "tiers" ? null : (
              <strong className="font-strong">{placeName(at)}: </strong>
            )}
            {error === "publishing.text_missing"
              ? t(at.startsWith("languages.") ? "publishing.missing" : "publishing.missingHere")
              : message}
          </li>
        ))}
      </ul>
    </div>
  );
}
