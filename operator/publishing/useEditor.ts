import { useEffect, useState } from "react";
import { CallError } from "#api/client.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import { NotRaisedError, useOperatorSend } from "#operator/app/useOperatorMutation.ts";
import { type Form, isDirty, meet, serverBody } from "#operator/publishing/draftState.ts";
import { keep, readKept } from "#operator/publishing/draftStorage.ts";
import { type Body, callsOf, emptyBody, type Publication } from "#operator/publishing/kinds.ts";
import { queryClient } from "#web/lib/client.ts";
import { keyOf, refresh, useCall } from "#web/lib/useApiQuery.ts";

/** While something is coming out it is looked at each second, else now and then: another operator may be at it. */
const soonMs = 1_000;
const nowAndThenMs = 15_000;

/** One publication being worked on: what is typed, where it stands, and everything that can be done with it. */
export function useEditor(kind: Kind, id: string, isNew: boolean) {
  const calls = callsOf(kind);
  const [saved, setSaved] = useState(!isNew);
  const [waiting, setWaiting] = useState(false);
  const query = useCall(
    calls.read,
    { id },
    { enabled: saved, refetchMs: waiting ? soonMs : nowAndThenMs, staleMs: 0 },
  );
  const fresh = saved ? (query.data ?? null) : null;
  const [form, setForm] = useState<Form | null>(
    () =>
      readKept(kind, id) ??
      (isNew ? { revision: 0, base: null, body: emptyBody(kind), stamp: 0 } : null),
  );
  const [seen, setSeen] = useState<Publication | null>(null);
  const [theirs, setTheirs] = useState<Publication | null>(null);
  const [undo, setUndo] = useState<Body | null>(null);
  if (fresh && fresh !== seen) {
    setSeen(fresh);
    const met = meet(form, fresh);
    setForm(met.form);
    setTheirs(met.conflict ? fresh : null);
    setWaiting(isComingOut(fresh));
  }
  useEffect(() => {
    if (form) keep(kind, id, isDirty(form) && !isUntouched(kind, form) ? form : null);
  }, [kind, id, form]);

  const version = fresh?.version;
  useEffect(() => {
    // A version has come out: the lists that hold it are older.
    if (version === undefined) return;
    void refresh(calls.versions);
    void refresh(calls.list);
  }, [version, calls]);

  const gone = query.error?.error === "publishing.unknown";
  if (gone && saved && form) {
    // Discarded by somebody else: what is typed here can be saved as a draft of its own.
    setSaved(false);
    setForm({ ...form, revision: 0, base: null });
    setTheirs(null);
  }
  const changes = useChanges(kind);

  /** Puts the server's words into the form; after a save only what was sent, for somebody may have typed on meanwhile. */
  const take = (publication: Publication, sent?: Body) => {
    setForm((now) => {
      const body = serverBody(publication);
      const typed = sent !== undefined && now !== null && now.body !== sent ? now.body : body;
      const stamp = (now?.stamp ?? 0) + (sent === undefined ? 1 : 0);
      return { revision: publication.revision, base: body, body: typed, stamp };
    });
    setSaved(true);
    setTheirs(null);
    tell(publication);
  };
  /** Where it stands now: `meet` says what that means for the form. */
  const tell = (publication: Publication) => {
    queryClient.setQueryData(keyOf(calls.read, { id }), publication);
    void refresh(calls.list);
    void refresh(calls.versions);
  };
  /** Runs a change; what stands now is looked at again when it was refused for another's. */
  const run = async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
    changes.forget();
    try {
      return await work();
    } catch (failure) {
      if (failure instanceof NotRaisedError) return null;
      if (failure instanceof CallError && failure.error === "publishing.changed_meanwhile")
        await query.refetch();
      return null;
    }
  };
  const save = (made?: Form) =>
    run(async () => {
      const { revision, body } = (made ?? form)!;
      const { data } = await changes.save.send({ id, revision, body });
      take(data, body);
      setUndo(null);
      return data.revision;
    });

  return {
    form,
    publication: fresh,
    loading: saved && !fresh && !query.error,
    error: gone && form ? null : query.error,
    refetch: () => void query.refetch(),
    gone,
    /** Its time has come: it is looked at each second until it is out. */
    comingOut: waiting,
    dirty: form !== null && isDirty(form),
    /** New, and nobody has filled anything in. */
    untouched: form !== null && isUntouched(kind, form),
    theirs,
    undo,
    busy: changes.busy,
    failure: changes.failure,
    change: (body: Body) => setForm((now) => now && { ...now, body }),
    /** Puts another body into the form, as unsaved. */
    replace: (body: Body) => setForm((now) => now && { ...now, body, stamp: now.stamp + 1 }),
    save: async () => (await save()) !== null,
    /** Saves first what is not saved. Null: now. */
    publish: async (atMs: number | null) => {
      const revision = form && isDirty(form) ? await save() : (form?.revision ?? null);
      if (revision === null) return false;
      const done = await run(() => changes.publish.send({ id, revision, at_ms: atMs }));
      if (done) tell(done.data);
      return done !== null;
    },
    unschedule: async () => {
      const done = await run(() => changes.unschedule.send({ id, revision: form!.revision }));
      if (done) tell(done.data);
      return done !== null;
    },
    withdraw: async () => {
      const done = await run(() => changes.withdraw.send({ id, revision: form!.revision }));
      if (done) tell(done.data);
      return done !== null;
    },
    discard: async () => {
      const { body, revision } = form!;
      const done = await run(() => changes.discard.send({ id, revision }));
      if (!done) return false;
      setUndo(body);
      if (done.data.publication) take(done.data.publication);
      else {
        setSaved(false);
        queryClient.removeQueries({ queryKey: keyOf(calls.read, { id }) });
        setForm({ revision: 0, base: null, body: emptyBody(kind), stamp: (form?.stamp ?? 0) + 1 });
        void refresh(calls.list);
      }
      return true;
    },
    bringBack: () => {
      if (undo) setForm((now) => now && { ...now, body: undo, stamp: now.stamp + 1 });
      setUndo(null);
    },
    takeTheirs: () => {
      if (!theirs) return;
      setUndo(form?.body ?? null);
      take(theirs);
    },
    keepMine: async () => {
      if (!theirs || !form) return false;
      const mine = { ...form, revision: theirs.revision, base: serverBody(theirs) };
      return (await save(mine)) !== null;
    },
  };
}
export type Editor = ReturnType<typeof useEditor>;

const isUntouched = (kind: Kind, { revision, body }: Form) =>
  revision === 0 && JSON.stringify(body) === JSON.stringify(emptyBody(kind));

/** Its time has come, and the job has not looked yet. */
function isComingOut({ state, publish_at_ms: atMs }: Publication): boolean {
  return state === "scheduled" && atMs !== null && atMs < Date.now() + 5_000;
}

function useChanges(kind: Kind) {
  const calls = callsOf(kind);
  const save = useOperatorSend(calls.save);
  const publish = useOperatorSend(calls.publish);
  const unschedule = useOperatorSend(calls.unschedule);
  const discard = useOperatorSend(calls.discard);
  const withdraw = useOperatorSend(calls.withdraw);
  const all = [save, publish, unschedule, discard, withdraw];
  return {
    save,
    publish,
    unschedule,
    discard,
    withdraw,
    busy: all.some(({ busy }) => busy),
    failure: all.find(({ error }) => error)?.error ?? null,
    forget: () => {
      for (const { reset } of all) reset();
    },
  };
}
