import { IconChecklist, IconSchool } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/**
 * The lessons about frauds and the reader of wallet requests; wide screens have both in the side
 * navigation.
 */
export default function Learn() {
  const t = useText();
  return (
    <Section title={t("wide.learn")}>
      <Row
        to="/help?view=lesson"
        className="min-h-16"
        leading={<IconSchool size={24} stroke={1.5} aria-hidden="true" />}
        label={t("wide.lesson")}
        hint={t("wide.lesson.hint")}
      />
      <Row
        to="/authorized-activity"
        className="min-h-16"
        leading={<IconChecklist size={24} stroke={1.5} aria-hidden="true" />}
        label={t("wide.requests")}
        hint={t("wide.requests.hint")}
      />
    </Section>
  );
}
