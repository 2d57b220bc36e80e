import { lazyPart } from "#web/app/lazyPart.tsx";

export interface TodaySheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** What the result of today is made of, line by line. To be drawn once it was opened. */
export const TodaySheet = lazyPart(() => import("#web/home/TodaySheetBody.tsx"), ["today"], null);
