import { useIntl } from "react-intl";
import { getClassCodes } from "#api/routes/operator/classRoom.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useMayChange } from "#operator/app/useOperator.ts";
import { CodesSection } from "#operator/classes/CodesSection.tsx";
import { RoomSection } from "#operator/classes/RoomSection.tsx";
import { TasksSection } from "#operator/classes/TasksSection.tsx";
import { UnlockSection } from "#operator/classes/UnlockSection.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Link } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** Codes, tasks and the room view of one class. */
export function RoomPage({ classId }: { classId: string }) {
  const t = useText();
  const { formatDate } = useIntl();
  const maySee = useMayChange("class.room");
  const query = useApiQuery(getClassCodes, { class_id: classId }, { refetchMs: 15_000 });
  const { data, error } = query;
  return (
    <ConsolePage
      title={data?.label ?? t("classes.codes.open")}
      lead={
        data
          ? t("classes.codes.lead", {
              time: formatDate(data.expires_at_ms, { dateStyle: "medium", timeStyle: "short" }),
            })
          : null
      }
      actions={
        <Link to="/operator/class" className={buttonClass({ size: "small", variant: "outline" })}>
          {t("classes.title")}
        </Link>
      }
    >
      <QueryError query={query} />
      {data ? (
        <>
          {maySee ? <RoomSection classId={classId} /> : null}
          <div className="grid grid-cols-1 gap-x-8 wide:grid-cols-2">
            <div className="min-w-0">
              <CodesSection classId={classId} state={data} />
            </div>
            <div className="min-w-0">
              <TasksSection key={data.tasks.join(" ")} classId={classId} tasks={data.tasks} />
              {maySee ? <UnlockSection classId={classId} /> : null}
            </div>
          </div>
        </>
      ) : error ? null : (
        <SkeletonRows />
      )}
    </ConsolePage>
  );
}
