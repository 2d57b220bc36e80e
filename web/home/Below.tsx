import { Counted } from "#web/home/Counted.tsx";
import { LatestNews } from "#web/home/LatestNews.tsx";

/** What stands below the fold of a phone: news, and what this instance counted of itself. */
export default function Below() {
  return (
    <>
      <LatestNews />
      <Counted />
    </>
  );
}
