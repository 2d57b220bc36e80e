import { useState } from "react";
import { getInviteInfo } from "#api/routes/invites.ts";
import { finishLesson, getLesson } from "#api/routes/lesson.ts";
import { type Answers, type Choice, type SceneName, sceneNames } from "#core/lesson/scenes.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";

/** One run of the lesson: the current scene, the choices made, and whether the result was saved. */
export function useLessonRun() {
  const { status } = useSession();
  const { send, isBusy, error, reset } = useApiMutation(finishLesson);
  const [position, setPosition] = useState<"start" | number | "end">("start");
  const [choicesMade, setChoicesMade] = useState<Partial<Record<SceneName, Choice>>>({});
  const [runId, setRunId] = useState("");
  const [isStored, setIsStored] = useState(false);
  const signedIn = status === "signed_in";
  const isComplete = sceneNames.every((scene) => choicesMade[scene] !== undefined);

  const keep = async () => {
    if (!isComplete) return;
    try {
      await send({ run_id: runId, answers: choicesMade as Answers });
      setIsStored(true);
      void invalidate(getLesson);
      void invalidate(getInviteInfo);
    } catch {
      // The error is shown at the end, with a way to retry.
    }
  };
  const begin = () => {
    setChoicesMade({});
    setIsStored(false);
    reset();
    setRunId(newId());
    setPosition(0);
  };
  const next = () => {
    if (typeof position !== "number") return;
    if (position + 1 < sceneNames.length) return setPosition(position + 1);
    setPosition("end");
    if (signedIn) void keep();
  };
  return {
    at: position,
    chosen: choicesMade,
    choose: (scene: SceneName, choice: Choice) =>
      setChoicesMade((now) => ({ ...now, [scene]: choice })),
    begin,
    next,
    keep,
    kept: isStored,
    isBusy,
    error,
    signedIn,
  };
}
export type LessonRun = ReturnType<typeof useLessonRun>;

/** A random UUID; works outside a secure context. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 15) | 64;
  bytes[8] = (bytes[8]! & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
