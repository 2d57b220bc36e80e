import { type ReactNode, useState } from "react";
import type { Preview } from "#api/operator/publishing.ts";
import type { Notice, PublishedLink } from "#api/publishing.ts";
import { type PostLanguage, postLanguages } from "#core/publishing/bodies.ts";
import { localeNames, localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { Choice } from "#operator/publishing/forms/fields.tsx";
import { PhonePreview } from "#operator/publishing/PhonePreview.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { OutRow } from "#web/features/leave-site/OutLink.tsx";
import { NoticeBar, NoticeWords } from "#web/features/notices/NoticeBar.tsx";
import { PostArticle } from "#web/features/posts/PostArticle.tsx";
import { useSettings } from "#web/lib/settings.ts";

interface Props {
  preview: Preview | null;
  language: PostLanguage;
  onLanguage: (language: PostLanguage) => void;
}

const themes = ["light", "dark"] as const;

/** How a text would look to people, on a phone, in any language and theme. */
export function PreviewPane({ preview, language, onLanguage }: Props) {
  const t = useText();
  const settings = useSettings();
  const [theme, setTheme] = useState<(typeof themes)[number]>(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    return settings.theme === "system" ? dark : settings.theme;
  });
  return (
    <section aria-label={t("publishing.preview")} className="flex flex-col gap-3">
      <div className="mx-auto grid w-full max-w-[362px] grid-cols-2 items-end gap-3">
        <Choice
          label={t("publishing.preview.language")}
          value={language}
          onChange={onLanguage}
          options={postLanguages.map(
            (postLanguage) => [postLanguage, localeNames[postLanguage]] as const,
          )}
        />
        <div className="pb-1.5">
          <Segmented
            label={t("publishing.preview.theme")}
            value={theme}
            onChange={setTheme}
            options={themes.map((item) => ({ value: item, label: t(`publishing.theme.${item}`) }))}
          />
        </div>
      </div>
      <Screen
        preview={preview}
        frame={{ language, theme, label: t("publishing.preview.phone") }}
        emptyNote={
          <p className="px-4 pt-10 text-center text-small text-ink-soft">
            {t("publishing.preview.nothing")}
          </p>
        }
      />
    </section>
  );
}

type PreviewFrame = Pick<Parameters<typeof PhonePreview>[0], "language" | "theme" | "label">;

function Screen({
  preview,
  frame,
  emptyNote,
}: {
  preview: Preview | null;
  frame: PreviewFrame;
  emptyNote: ReactNode;
}) {
  const post = preview?.news;
  const link = preview?.link;
  const notice = preview?.notice;
  if (post && post.languages.length > 0) {
    return (
      <PhonePreview {...frame} parts={["posts", "leave-site"]}>
        <Heading id="posts.title" />
        <PostArticle post={post} language={frame.language} />
      </PhonePreview>
    );
  }
  if (link && link.title !== "" && link.host !== "") {
    return (
      <PhonePreview {...frame} parts={["help", "leave-site"]}>
        <LinkList link={link} />
      </PhonePreview>
    );
  }
  if (notice && notice.text + notice.title !== "") return <NoticeScreen {...{ notice, frame }} />;
  return (
    <PhonePreview {...frame} parts={["posts"]}>
      {emptyNote}
    </PhonePreview>
  );
}

function Heading({ id }: { id: string }) {
  const t = useText();
  return (
    <p className="flex min-h-14 items-center px-4 text-title font-strong tracking-tight">{t(id)}</p>
  );
}

function NoticeScreen({ notice, frame }: { notice: Notice; frame: PreviewFrame }) {
  const { language } = frame;
  if (notice.type === "bar") {
    return (
      <PhonePreview
        {...frame}
        parts={["notices"]}
        foot={
          <>
            <div className="absolute inset-x-0 bottom-14 z-20 px-2 pb-2">
              <NoticeBar notice={notice} language={language} onDismiss={() => undefined} />
            </div>
            <div className="h-14 border-t border-line" aria-hidden="true" />
          </>
        }
      >
        <Ground />
      </PhonePreview>
    );
  }
  return (
    <PhonePreview {...frame} parts={["notices"]}>
      <Ground />
      <div className="absolute inset-0 grid place-items-center bg-scrim p-6 pt-12">
        <div className="w-full rounded-dock border border-line bg-paper p-5">
          <p lang={localeTags[notice.language]} className="text-title font-strong">
            {notice.title}
          </p>
          <div className="mt-2 text-small text-ink-soft">
            <NoticeWords notice={notice} language={language} />
          </div>
          <CloseWord />
        </div>
      </div>
    </PhonePreview>
  );
}

/** The screen behind a notice, without figures, since those would be someone's own. */
function Ground() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-4 px-4 pt-6">
      <span className="h-7 w-1/3 rounded-[6px] bg-well" />
      <span className="h-10 w-2/3 rounded-[6px] bg-well" />
      <span className="h-24 rounded-dock bg-leaf" />
      <span className="h-24 rounded-dock bg-leaf" />
    </div>
  );
}

function CloseWord() {
  const t = useText();
  return (
    <div className="mt-5 flex justify-end">
      <span className="inline-flex min-h-12 items-center rounded-dock bg-signal px-5 font-strong text-on-signal">
        {t("notices.close")}
      </span>
    </div>
  );
}

/** The links as `/help` lists them. */
function LinkList({ link }: { link: PublishedLink }) {
  const t = useText();
  const support = t("help.links.support");
  return (
    <>
      <Heading id="help.links" />
      <p className="px-4 pb-3 text-small text-ink-soft">{t("help.links.note")}</p>
      <div className="border-y border-line">
        <OutRow
          url={link.url}
          hint={link.kind === "support" ? `${support} · ${link.host}` : link.host}
        >
          <span lang={localeTags[link.language]}>{link.title}</span>
        </OutRow>
      </div>
    </>
  );
}
