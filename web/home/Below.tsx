import { Counted } from "#web/home/Counted.tsx";
import { LatestNews } from "#web/home/LatestNews.tsx";
import { LessonReminder } from "#web/home/LessonReminder.tsx";

/** What stands below the fold of a phone: the lesson when it is due again, news, and what this instance counted of itself. */
export default function Below() {
  return (
    <>
      <LessonReminder />
      <LatestNews />
      <Counted />
    </>
  );
}
