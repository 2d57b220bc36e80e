import { InstanceCounts } from "./InstanceCounts.tsx";
import { LatestNews } from "./LatestNews.tsx";
import { LessonReminder } from "./LessonReminder.tsx";

/**
 * Content below a phone's fold: the lesson when it is due again, news, and what this instance
 * counted about itself.
 */
export default function BelowTheFold() {
  return (
    <>
      <LessonReminder />
      <LatestNews />
      <InstanceCounts />
    </>
  );
}
