import { IconFileZip, IconUserX } from "@tabler/icons-react";
import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

const ExportSheet = lazyComponent(
  () => import("#web/screens/account/personal-data/ExportSheet.tsx"),
  ["personal-data"],
  null,
);
const DeleteSheet = lazyComponent(
  () => import("#web/screens/account/personal-data/DeleteSheet.tsx"),
  ["personal-data"],
  null,
);

/**
 * Export and deletion of personal data. Stays mounted without a session, because a deletion's
 * receipt outlives it.
 */
export function MyData({ signedIn }: { signedIn: boolean }) {
  const t = useText();
  const [isExporting, setIsExporting] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  // Each sheet is loaded when first opened.
  const [openedSheets, setOpenedSheets] = useState({ exporting: false, deleting: false });
  const openExport = () => {
    setOpenedSheets((before) => ({ ...before, exporting: true }));
    setIsExporting(true);
  };
  const openDelete = () => {
    setOpenedSheets((before) => ({ ...before, deleting: true }));
    setIsDeleting(true);
  };
  return (
    <>
      {signedIn ? (
        <Section title={t("account.data")}>
          <Row
            leading={<IconFileZip size={22} stroke={1.5} aria-hidden="true" />}
            label={t("account.export")}
            hint={t("account.export.hint")}
            onClick={openExport}
          />
          <Row
            leading={<IconUserX size={22} stroke={1.5} aria-hidden="true" />}
            label={t("account.delete")}
            hint={t("account.delete.hint")}
            onClick={openDelete}
          />
        </Section>
      ) : null}
      {openedSheets.exporting ? (
        <ExportSheet open={isExporting} onOpenChange={setIsExporting} />
      ) : null}
      {openedSheets.deleting ? (
        <DeleteSheet
          open={isDeleting}
          onOpenChange={setIsDeleting}
          onExport={() => {
            setIsDeleting(false);
            openExport();
          }}
        />
      ) : null}
    </>
  );
}
