import { IconChecklist, IconSchool } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** The lessons about frauds and the reader of wallet requests; wide screens have both in the rail. */
export default function Learn() {
  const t = useText();
  return (
    <Section title={t("desk.learn")}>
      <Row
        to="/help?view=lesson"
        className="min-h-16"
        leading={<IconSchool size={24} stroke={1.5} aria-hidden="true" />}
        label={t("desk.lesson")}
        hint={t("desk.lesson.hint")}
      />
      <Row
        to="/authorized-activity"
        className="min-h-16"
        leading={<IconChecklist size={24} stroke={1.5} aria-hidden="true" />}
        label={t("desk.requests")}
        hint={t("desk.requests.hint")}
      />
    </Section>
  );
}
