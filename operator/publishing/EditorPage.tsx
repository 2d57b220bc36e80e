import { useEffect, useState } from "react";
import {
  type ByLanguage,
  chooseText,
  type Kind,
  type PostLanguage,
} from "#core/publishing/bodies.ts";
import { getSubject } from "#core/publishing/subject.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { ActionBar } from "#operator/publishing/ActionBar.tsx";
import { Conflict } from "#operator/publishing/Conflict.tsx";
import { EditorForm } from "#operator/publishing/forms/EditorForm.tsx";
import { type Body, isText } from "#operator/publishing/kinds.ts";
import { PreviewPane } from "#operator/publishing/PreviewPane.tsx";
import { PublicationStatus, StateBadge } from "#operator/publishing/PublicationStatus.tsx";
import { type Editor, useEditor } from "#operator/publishing/useEditor.ts";
import { usePreview } from "#operator/publishing/usePreview.ts";
import { Versions } from "#operator/publishing/Versions.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useSettings } from "#web/lib/settings.ts";

interface Props {
  kind: Kind;
  id: string;
  isNew: boolean;
}

/** The editor of one publication: its form, what people would see, and the available actions. */
export function EditorPage({ kind, id, isNew }: Props) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const editor = useEditor(kind, id, isNew);
  const { language } = useSettings();
  const { publication, form, error } = editor;
  const [, setQuery] = useSearchParams();
  const exists = publication !== null;
  useEffect(() => {
    // It exists on the server now, so the URL drops the marker for a new one.
    if (isNew && exists) setQuery({ kind, id }, { replace: true });
  }, [isNew, exists, setQuery, kind, id]);
  return (
    <ConsolePage
      title={formatTitle(kind, form?.body, language) || t(`publishing.one.${kind}`)}
      actions={
        <span className="flex items-center gap-3">
          {publication ? <StateBadge state={publication.state} /> : null}
          <Link
            to={`/operator/publishing?kind=${kind}`}
            className={buttonClass({ variant: "outline", size: "small" })}
          >
            {t("publishing.back")}
          </Link>
        </span>
      }
    >
      {error && !publication ? (
        <div className="p-4">
          <ErrorNote onRetry={editor.refetch}>{errorMessage(error)}</ErrorNote>
        </div>
      ) : null}
      {editor.loading && !form ? <SkeletonRows /> : null}
      {form ? <EditorBody kind={kind} id={id} editor={editor} /> : null}
    </ConsolePage>
  );
}

/** The page's title: a text's own title, or a product's subject. */
function formatTitle(kind: Kind, body: Body | undefined, language: PostLanguage): string {
  if (!body) return "";
  if ("languages" in body) {
    const words: ByLanguage<{ title: string; text?: string }> = body.languages;
    return chooseText(words, language)?.text.title ?? "";
  }
  return getSubject(kind, body) ?? "";
}

function EditorBody({ kind, id, editor }: { kind: Kind; id: string; editor: Editor }) {
  const settings = useSettings();
  const errorMessage = useErrorMessage();
  const { publication } = editor;
  const form = editor.form!;
  const writtenLanguages = "languages" in form.body ? Object.keys(form.body.languages) : [];
  const [language, setLanguage] = useState<PostLanguage>(() =>
    writtenLanguages.length === 0 || writtenLanguages.includes(settings.language)
      ? settings.language
      : (writtenLanguages[0] as PostLanguage),
  );
  const [previewLanguage, setPreviewLanguage] = useState<PostLanguage>(language);
  const { preview, error, behind } = usePreview(kind, form.body, previewLanguage);
  const problems = preview?.problems ?? [];
  return (
    <>
      <PublicationStatus editor={editor} />
      <Conflict editor={editor} />
      {/* Wide screens show the preview beside the form; narrow ones below it. */}
      <div
        className={
          isText(kind)
            ? "mt-5 grid grid-cols-1 gap-8 px-4 wide:grid-cols-[minmax(0,1fr)_362px]"
            : kind === "pool"
              ? "mt-5 max-w-160 px-4"
              : "mt-5 px-4"
        }
      >
        <div className="min-w-0">
          <EditorForm
            key={form.formKey}
            kind={kind}
            body={form.body}
            onChange={editor.change}
            // An untouched form shows no problems.
            problems={editor.untouched ? [] : problems}
            figures={preview?.figures ?? []}
            isStale={behind}
            language={language}
            onLanguage={(next) => {
              setLanguage(next);
              setPreviewLanguage(next);
            }}
            fixed={publication !== null && publication.subject !== null}
          />
        </div>
        {isText(kind) ? (
          <div className="min-w-0 wide:sticky wide:top-10 wide:self-start">
            <PreviewPane
              preview={preview}
              language={previewLanguage}
              onLanguage={setPreviewLanguage}
            />
          </div>
        ) : null}
      </div>
      {error && !preview ? (
        <div className="px-4 pt-4">
          <ErrorNote>{errorMessage(error)}</ErrorNote>
        </div>
      ) : null}
      {publication && publication.version > 0 ? (
        <Versions kind={kind} id={id} body={form.body} onRestore={editor.replace} />
      ) : null}
      <ActionBar kind={kind} editor={editor} problems={problems} />
    </>
  );
}
