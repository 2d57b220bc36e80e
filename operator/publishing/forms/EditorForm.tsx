import type { Bodies, Preview } from "#api/operator/publishing.ts";
import type { Kind, PostLanguage } from "#core/publishing/bodies.ts";
import type { FormProps } from "#operator/publishing/forms/formProps.ts";
import { LinkForm } from "#operator/publishing/forms/LinkForm.tsx";
import { MachineForm } from "#operator/publishing/forms/MachineForm.tsx";
import { NewsForm } from "#operator/publishing/forms/NewsForm.tsx";
import { NoticeForm } from "#operator/publishing/forms/NoticeForm.tsx";
import { PoolForm } from "#operator/publishing/forms/PoolForm.tsx";
import { TiersForm } from "#operator/publishing/forms/TiersForm.tsx";
import type { Body } from "#operator/publishing/kinds.ts";
import type { PublishingProblems } from "#operator/publishing/usePreview.ts";

interface Props {
  kind: Kind;
  body: Body;
  onChange: (body: Body) => void;
  problems: PublishingProblems;
  figures: Preview["figures"];
  isStale: boolean;
  language: PostLanguage;
  onLanguage: (language: PostLanguage) => void;
  fixed: boolean;
}

/** The form for publications of a kind. */
export function EditorForm({ kind, body, figures, isStale, ...rest }: Props) {
  const getFormProps = <Name extends Kind>(): FormProps<Bodies[Name]> => ({
    ...rest,
    body: body as Bodies[Name],
  });
  switch (kind) {
    case "news":
      return <NewsForm {...getFormProps<"news">()} />;
    case "notice":
      return <NoticeForm {...getFormProps<"notice">()} />;
    case "help_link":
    case "support_link":
      return <LinkForm {...getFormProps<"help_link">()} />;
    case "contract_tiers":
      return (
        <TiersForm {...getFormProps<"contract_tiers">()} figures={figures} isStale={isStale} />
      );
    case "pool":
      return <PoolForm {...getFormProps<"pool">()} figures={figures} />;
    case "machine":
      return <MachineForm {...getFormProps<"machine">()} figures={figures} isStale={isStale} />;
  }
}
