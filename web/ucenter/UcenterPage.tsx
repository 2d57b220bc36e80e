import { IconFileZip, IconUserX } from "@tabler/icons-react";
import { useState } from "react";
import { useIntl } from "react-intl";
import { Button } from "#ui/Button.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { lazyPart } from "#web/app/lazyPart.tsx";
import { useSession } from "#web/app/session/useSession.ts";
import { Money } from "#web/ucenter/Account.tsx";
import { Identity } from "#web/ucenter/Identity.tsx";
import { Safety } from "#web/ucenter/Safety.tsx";
import { Settings } from "#web/ucenter/Settings.tsx";
import { SignOut } from "#web/ucenter/SignOut.tsx";
import { Support } from "#web/ucenter/Support.tsx";

const ExportSheet = lazyPart(() => import("#web/ucenter/mydata/ExportSheet.tsx"), ["mydata"], null);
const DeleteSheet = lazyPart(() => import("#web/ucenter/mydata/DeleteSheet.tsx"), ["mydata"], null);

/** The user's own page; signed out, the way in and the settings of this browser. */
export default function UcenterPage() {
  const { formatMessage } = useIntl();
  const { status, user, signIn } = useSession();
  const [exporting, setExporting] = useState(false);
  const [deleting, setDeleting] = useState(false);
  // Each is loaded when it is first opened, and stays: the receipt of a deletion outlives the session.
  const [used, setUsed] = useState({ exporting: false, deleting: false });
  const text = (id: string) => formatMessage({ id });
  const openExport = () => {
    setUsed((before) => ({ ...before, exporting: true }));
    setExporting(true);
  };
  return (
    <Page title={text("ucenter.title")} side={<Settings />} sideWideOnly>
      {user ? (
        <>
          <Identity user={user} />
          <Money />
          <Safety />
        </>
      ) : status === "loading" ? (
        <SkeletonRows />
      ) : (
        <>
          <Empty
            drawing={<MooringDrawing />}
            title={text("ucenter.signedOut")}
            action={<Button onClick={signIn}>{text("ucenter.signIn")}</Button>}
          >
            {text("ucenter.signedOut.text")}
          </Empty>
          <Section>
            <Row
              to="/authorized-activity"
              label={text("authorized.reader.title")}
              hint={text("ucenter.reader.hint")}
            />
          </Section>
        </>
      )}
      <div className="mt-8 wide:hidden">
        <Settings />
      </div>
      <Support ownUrl={user?.custom_service_url ?? null} />
      {user ? (
        <>
          <Section title={text("ucenter.data")}>
            <Row
              leading={<IconFileZip size={22} stroke={1.5} aria-hidden="true" />}
              label={text("ucenter.export")}
              hint={text("ucenter.export.hint")}
              onClick={openExport}
            />
            <Row
              leading={<IconUserX size={22} stroke={1.5} aria-hidden="true" />}
              label={text("ucenter.delete")}
              hint={text("ucenter.delete.hint")}
              onClick={() => {
                setUsed((before) => ({ ...before, deleting: true }));
                setDeleting(true);
              }}
            />
          </Section>
          <SignOut />
        </>
      ) : null}
      {used.exporting ? <ExportSheet open={exporting} onOpenChange={setExporting} /> : null}
      {used.deleting ? (
        <DeleteSheet
          open={deleting}
          onOpenChange={setDeleting}
          onExport={() => {
            setDeleting(false);
            openExport();
          }}
        />
      ) : null}
    </Page>
  );
}
