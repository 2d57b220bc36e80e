import type { SceneName } from "#core/lesson/scenes.ts";
import { useText } from "#i18n/useText.ts";

/** Scenes that show a page of the site instead of a chat. */
const pages: ReadonlySet<SceneName> = new Set(["gain", "authorise", "papers"]);

/**
 * A scene as the person would see it on a phone, in our own line drawing: a chat, or a page that
 * asks for something.
 */
export function ScenePhone({ scene }: { scene: SceneName }) {
  const t = useText();
  const toText = (part: string) => t(`lesson.${scene}.${part}`);
  return (
    <figure className="rounded-dock border border-line-strong bg-leaf">
      <figcaption className="flex items-center gap-2 border-b border-line px-4 py-2.5 text-small">
        <span
          aria-hidden="true"
          className="size-7 shrink-0 rounded-full border border-line-strong"
        />
        <span className="min-w-0">
          <span className="block font-strong">{toText("from")}</span>
          <span className="block text-caption text-ink-faint wide:text-small">
            {t("lesson.invented")}
          </span>
        </span>
      </figcaption>
      {pages.has(scene) ? (
        <div className="flex flex-col gap-3 p-4">
          <p className="font-strong">{toText("says1")}</p>
          <p className="rounded-[6px] bg-well p-3 text-small wide:text-body">{toText("says2")}</p>
        </div>
      ) : (
        <div className="flex flex-col items-start gap-2 p-4">
          <p className="max-w-[88%] rounded-dock rounded-bl-none bg-well px-3.5 py-2.5">
            {toText("says1")}
          </p>
          <p className="max-w-[88%] rounded-dock rounded-bl-none bg-well px-3.5 py-2.5">
            {toText("says2")}
          </p>
        </div>
      )}
    </figure>
  );
}
