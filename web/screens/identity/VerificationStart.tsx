import { IconPencil } from "@tabler/icons-react";
import type { IdentitySpecimen } from "#api/identity.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { SpecimenDrawing } from "#ui/drawings.tsx";
import { Section } from "#ui/Section.tsx";
import { IdentityRows } from "./IdentityRows.tsx";

export interface VerificationStartProps {
  specimen: IdentitySpecimen | null;
  /** Identities that may still be drawn today. */
  left: number;
  onDraw: () => void;
  onShow: () => void;
  onFill: () => void;
}

/** The start of the exercise: an identity first, then the form. */
export function VerificationStart({
  specimen,
  left,
  onDraw,
  onShow,
  onFill,
}: VerificationStartProps) {
  const t = useText();
  const pencil = <IconPencil size={18} aria-hidden="true" />;
  if (!specimen) {
    return (
      <Section kind="plain">
        <div className="flex flex-col items-center rounded-dock border border-line bg-leaf p-5 text-center">
          <span className="mb-4 text-ink-soft">
            <SpecimenDrawing />
          </span>
          <h2 className="font-strong">{t("identity.start")}</h2>
          <p className="mt-1 mb-4 text-small text-ink-soft">{t("identity.startAbout")}</p>
          <Button icon={pencil} onClick={onDraw}>
            {t("identity.open")}
          </Button>
        </div>
      </Section>
    );
  }
  return (
    <>
      <Section
        title={t("identity.yours")}
        action={
          <span className="text-small text-ink-faint">{t("identity.left", { count: left })}</span>
        }
      >
        <IdentityRows specimen={specimen} />
      </Section>
      <div className="mt-4 flex flex-col gap-2 px-4">
        <Button block onClick={onFill}>
          {t("identity.fill")}
        </Button>
        <div className="grid grid-cols-2 gap-2">
          <Button variant="outline" size="small" onClick={onShow}>
            {t("identity.show")}
          </Button>
          <Button variant="outline" size="small" onClick={onDraw}>
            {t("identity.another")}
          </Button>
        </div>
      </div>
    </>
  );
}
