import type { ClassLinkView } from "#api/operator/classes.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** The plan of a lesson to print, and each class's debrief. */
export const LessonSection = lazyComponent<{ links: readonly ClassLinkView[] }>(
  () => import("#operator/classes/LessonSectionBody.tsx"),
  ["debrief", "lesson-plan"],
  null,
);
