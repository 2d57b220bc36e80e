import type { ClassLinkView } from "#api/operator/classes.ts";
import { useText } from "#i18n/useText.ts";
import { useOperator } from "#operator/app/useOperator.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** Links to the plans of a lesson, and to the debrief of each class that someone joined. */
export default function LessonSectionBody({ links }: { links: readonly ClassLinkView[] }) {
  const t = useText();
  const me = useOperator();
  const joined = me?.permissions.includes("class.debrief")
    ? links.filter((link) => link.joined > 0)
    : [];
  return (
    <Section title={t("debrief.lesson")} note={t("debrief.lesson.note")}>
      <Row label={t("lesson-plan.title")} to="/operator/class/plan" />
      {joined.map((link) => (
        <Row
          key={link.class_id}
          label={t("debrief.title")}
          hint={link.label ?? t("debrief.unnamed")}
          to={`/operator/class/debrief?class=${link.class_id}`}
        />
      ))}
    </Section>
  );
}
