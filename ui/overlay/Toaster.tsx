import { useStore } from "#ui/createStore.ts";
import { noticeStore } from "#ui/overlay/toast.ts";

/**
 * Where toasts and notices appear; mounted once by the app frame. Announced politely, never takes
 * focus.
 */
export function Toaster() {
  const notices = useStore(noticeStore);
  const toast = notices.find(({ kind }) => kind === "toast");
  const notice = notices.find(({ kind }) => kind === "notify");
  return (
    <>
      <output className="pointer-events-none fixed inset-x-0 bottom-[calc(76px+env(safe-area-inset-bottom))] z-50 flex justify-center px-6">
        {toast ? (
          <span
            key={toast.id}
            className="toast-in block max-w-100 rounded-dock bg-ink px-4 py-2.5 text-center text-small text-paper"
          >
            {toast.text}
          </span>
        ) : null}
      </output>
      <output className="pointer-events-none fixed inset-x-0 top-8 z-50 flex justify-center px-4">
        {notice ? (
          <span
            key={notice.id}
            className="toast-in block w-full max-w-110 rounded-dock border border-line-strong bg-leaf px-4 py-3"
          >
            <span className="block text-small font-strong">{notice.title}</span>
            <span className="block text-small text-ink-soft">{notice.text}</span>
          </span>
        ) : null}
      </output>
    </>
  );
}
