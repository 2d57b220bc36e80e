import { type Dispatch, useEffect, useReducer } from "react";
import { ApiError } from "#api/client.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import { NotElevatedError, useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { type DraftForm, getServerBody, isDirty } from "#operator/publishing/draftState.ts";
import { readStoredDraft, storeDraft } from "#operator/publishing/draftStorage.ts";
import {
  type EditorAction,
  type EditorState,
  reduceEditor,
} from "#operator/publishing/editorState.ts";
import {
  type Body,
  createEmptyBody,
  getCalls,
  type Publication,
} from "#operator/publishing/kinds.ts";
import { queryClient } from "#web/lib/api/client.ts";
import { getQueryKey, invalidate, replaceAnswer, useApiQuery } from "#web/lib/api/useApiQuery.ts";

/**
 * Refetch interval while a publication is due, and otherwise, since another operator may be editing
 * it.
 */
const dueRefetchMs = 1_000;
const idleRefetchMs = 15_000;

/** One publication in the editor: the input, its state, and every action on it. */
export function useEditor(kind: Kind, id: string, isNew: boolean) {
  const [state, dispatch] = useReducer(reduceEditor, null, () => getInitialState(kind, id, isNew));
  const { isSaved, form, remotePublication, undo } = state;
  const query = useApiQuery(
    getCalls(kind).read,
    { id },
    {
      enabled: isSaved,
      refetchMs: (publication) => (isDue(publication) ? dueRefetchMs : idleRefetchMs),
      staleMs: 0,
    },
  );
  const publication = (isSaved ? (query.data ?? null) : null) as Publication | null;
  const isDeleted = query.error?.error === "publishing.unknown";
  useEffect(() => {
    if (publication) dispatch({ type: "server_answered", publication });
  }, [publication]);
  useEffect(() => {
    if (isDeleted && isSaved) dispatch({ type: "deleted" });
  }, [isDeleted, isSaved]);
  useDraftStorage(kind, id, form, publication?.version);
  const changes = useChanges(kind, query.refetch);
  return {
    form,
    publication,
    loading: isSaved && !form && !query.error,
    error: isDeleted && form ? null : query.error,
    refetch: () => void query.refetch(),
    gone: isDeleted,
    /** Its time has come: refetched every second until it is live. */
    isDue: isDue(publication),
    dirty: form !== null && isDirty(form),
    /** New, with nothing filled in yet. */
    untouched: form !== null && isUntouched(kind, form),
    remote: remotePublication,
    undo,
    busy: changes.busy,
    failure: changes.failure,
    change: (body: Body) => dispatch({ type: "typed", body }),
    /** Replaces the form's body, unsaved. */
    replace: (body: Body) => dispatch({ type: "replaced", body }),
    bringBack: () => dispatch({ type: "brought_back" }),
    takeRemote: () => dispatch({ type: "remote_taken" }),
    ...getActions(kind, id, state, dispatch, changes),
  };
}
export type Editor = ReturnType<typeof useEditor>;

function getInitialState(kind: Kind, id: string, isNew: boolean): EditorState {
  const empty = isNew ? { revision: 0, base: null, body: createEmptyBody(kind), formKey: 0 } : null;
  return {
    isSaved: !isNew,
    form: readStoredDraft(kind, id) ?? empty,
    remotePublication: null,
    undo: null,
  };
}

/** Saves the input in this tab; a newly published version invalidates the lists that contain it. */
function useDraftStorage(
  kind: Kind,
  id: string,
  form: DraftForm | null,
  version: number | undefined,
): void {
  useEffect(() => {
    if (form) storeDraft(kind, id, isDirty(form) && !isUntouched(kind, form) ? form : null);
  }, [kind, id, form]);
  useEffect(() => {
    if (version !== undefined) refreshLists(kind);
  }, [version, kind]);
}

/** The actions on the server. Each resolves to true if it succeeded; `failure` says why not. */
function getActions(
  kind: Kind,
  id: string,
  { form, remotePublication }: EditorState,
  dispatch: Dispatch<EditorAction>,
  changes: Changes,
) {
  const { run } = changes;
  const save = (draft: DraftForm) =>
    run(async () => {
      const { revision, body } = draft;
      const { data } = await changes.save.send({ id, revision, body });
      dispatch({ type: "saved", publication: data as Publication, sentBody: body });
      await cachePublication(kind, id, data as Publication);
      return data.revision;
    });
  const step = async (work: () => Promise<{ data: unknown }>) => {
    const outcome = await run(work);
    if (outcome) await cachePublication(kind, id, outcome.data as Publication);
    return outcome !== null;
  };
  return {
    save: async () => form !== null && (await save(form)) !== null,
    /** Saves first if there are unsaved changes. Null: now. */
    publish: async (atMs: number | null) => {
      const revision = form && isDirty(form) ? await save(form) : (form?.revision ?? null);
      if (revision === null) return false;
      return await step(() => changes.publish.send({ id, revision, at_ms: atMs }));
    },
    unschedule: () => step(() => changes.unschedule.send({ id, revision: form!.revision })),
    withdraw: () => step(() => changes.unpublish.send({ id, revision: form!.revision })),
    discard: async () => {
      const answeredCall = await run(() => changes.discard.send({ id, revision: form!.revision }));
      if (!answeredCall) return false;
      const remainingPublication = answeredCall.data.publication as Publication | null;
      if (!remainingPublication)
        queryClient.removeQueries({ queryKey: getQueryKey(getCalls(kind).read, { id }) });
      dispatch({
        type: "discarded",
        publication: remainingPublication,
        emptyBody: createEmptyBody(kind),
      });
      if (remainingPublication) await cachePublication(kind, id, remainingPublication);
      else void invalidate(getCalls(kind).list);
      return true;
    },
    keepMine: async () => {
      if (!remotePublication || !form) return false;
      const ownDraft = {
        ...form,
        revision: remotePublication.revision,
        base: getServerBody(remotePublication),
      };
      return (await save(ownDraft)) !== null;
    },
  };
}

/** Stores the answer as the cached publication and refreshes the lists. */
async function cachePublication(kind: Kind, id: string, publication: Publication): Promise<void> {
  await replaceAnswer(getCalls(kind).read, { id }, publication);
  refreshLists(kind);
}

function refreshLists(kind: Kind): void {
  const { versions, list } = getCalls(kind);
  void invalidate(versions);
  void invalidate(list);
}

const isUntouched = (kind: Kind, { revision, body }: DraftForm) =>
  revision === 0 && JSON.stringify(body) === JSON.stringify(createEmptyBody(kind));

type PlannedPublication = Pick<Publication, "state" | "publish_at_ms">;

/** Its time has come, but the job has not run yet. */
function isDue(publication: PlannedPublication | null | undefined): boolean {
  if (!publication) return false;
  const { state, publish_at_ms: atMs } = publication;
  return state === "scheduled" && atMs !== null && atMs < Date.now() + 5_000;
}

function useChanges(kind: Kind, refetch: () => Promise<unknown>) {
  const calls = getCalls(kind);
  const save = useOperatorMutation(calls.save);
  const publish = useOperatorMutation(calls.publish);
  const unschedule = useOperatorMutation(calls.unschedule);
  const discard = useOperatorMutation(calls.discard);
  const unpublish = useOperatorMutation(calls.withdraw);
  const actions = [save, publish, unschedule, discard, unpublish];
  return {
    save,
    publish,
    unschedule,
    discard,
    unpublish,
    busy: actions.some(({ isBusy }) => isBusy),
    failure: actions.find(({ error }) => error)?.error ?? null,
    /**
     * Runs a change; refetches the current state if it was refused because of another operator's
     * change. Null: it did not succeed.
     */
    run: async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
      for (const { reset } of actions) reset();
      try {
        return await work();
      } catch (error) {
        if (error instanceof NotElevatedError) return null;
        const name = error instanceof ApiError ? error.error : null;
        if (name === "publishing.changed_meanwhile") await refetch();
        return null;
      }
    },
  };
}
type Changes = ReturnType<typeof useChanges>;
