import { type ComponentType, useEffect, useState } from "react";
import { loadMessages } from "#i18n/load.ts";
import {
  askAboutInviterAgain,
  setInviteQuestion,
  useInviteQuestion,
} from "#web/features/session/inviteQuestion.ts";
import { useSheets } from "#web/features/session/sheets.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { reportFailure } from "#web/lib/start/errorLog.ts";

/**
 * The question of who invited this person: its code and messages load when it is first asked, after
 * the sign-in's own sheets.
 */
export function InviteQuestionHost() {
  const isAsked = useInviteQuestion();
  const { open } = useSheets();
  const userId = useSession().user?.user_id;
  useEffect(() => {
    if (userId) void askAboutInviterAgain(userId);
  }, [userId]);
  const [Question, setQuestion] = useState<ComponentType<{ open: boolean }> | null>(null);
  useEffect(() => {
    if (!isAsked) return;
    Promise.all([
      import("#web/features/session/InviteQuestionSheet.tsx"),
      loadMessages(["invites"]),
    ]).then(
      ([loaded]) => setQuestion(() => loaded.default),
      (error: unknown) => {
        // The question can still be answered under Team.
        reportFailure("chunk", error);
        setInviteQuestion(false);
      },
    );
  }, [isAsked]);
  return Question ? <Question open={isAsked && open === "none"} /> : null;
}
