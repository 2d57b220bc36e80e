import { Counted } from "#web/screens/home/Counted.tsx";
import { LatestNews } from "#web/screens/home/LatestNews.tsx";
import { LessonReminder } from "#web/screens/home/LessonReminder.tsx";

/**
 * Content below a phone's fold: the lesson when it is due again, news, and what this instance
 * counted about itself.
 */
export default function Below() {
  return (
    <>
      <LessonReminder />
      <LatestNews />
      <Counted />
    </>
  );
}
