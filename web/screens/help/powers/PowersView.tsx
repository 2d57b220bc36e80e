import { useRef } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { getPowers } from "#api/routes/operator/session.ts";
import { neverAllowed } from "#core/operator/permissions.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { JumpTo } from "#web/screens/help/JumpTo.tsx";

type Permissions = AnswerOf<typeof getPowers>;

/**
 * The permissions of this instance's operators and their limits, generated from the same list the
 * server checks (product.md, section 7).
 */
export default function PowersView() {
  const t = useText();
  const query = useApiQuery(getPowers, {});
  const { data, error } = query;
  const allowedRef = useRef<HTMLDivElement>(null);
  return (
    <>
      <p className="px-4 pt-2 text-ink-soft">{t("permissions.lead")}</p>
      <JumpTo target={allowedRef}>{t("permissions.can.title")}</JumpTo>
      <Section title={t("permissions.cannot.title")}>
        {neverAllowed.map((name) => (
          <Row key={name} label={t(`permissions.cannot.${name}`)} />
        ))}
      </Section>
      <p className="px-4 pt-3 text-small text-ink-soft">{t("permissions.machine")}</p>
      <QueryError query={query} />
      <div ref={allowedRef} tabIndex={-1}>
        {data ? <Allowed powers={data} /> : error ? null : <SkeletonRows count={6} />}
      </div>
    </>
  );
}

function Allowed({ powers }: { powers: Permissions }) {
  const t = useText();
  const groups = Map.groupBy(powers.permissions, ({ name }) => name.split(".")[0]!);
  const { acts, head, leaf } = powers.audit;
  return (
    <>
      <Section title={t("permissions.roles.title")}>
        {powers.operators.map(({ role, count }) => (
          <Row
            key={role}
            label={t(`permissions.role.${role}`)}
            hint={t(`permissions.about.${role}`)}
            value={
              <span className="text-small text-ink-faint">
                {t("permissions.roles.count", { count })}
              </span>
            }
          />
        ))}
      </Section>
      <h2 className="px-4 pt-8 text-title font-strong tracking-tight">
        {t("permissions.can.title")}
      </h2>
      {[...groups].map(([group, list]) => (
        <Section key={group} title={t(`permissions.group.${group}`)}>
          {list.map((power) => (
            <PermissionRow key={power.name} power={power} />
          ))}
        </Section>
      ))}
      <Section title={t("permissions.chain.title")} kind="plain">
        <p className="text-small text-ink-soft">
          {acts === 0 ? t("permissions.chain.none") : t("permissions.chain.text", { count: acts })}
        </p>
        <p className="pt-2 text-small text-ink-soft">{t("permissions.chain.people")}</p>
        {leaf === null ? null : (
          <>
            <p className="flex items-center justify-between gap-3 pt-2">
              <span>{t("permissions.chain.leaf")}</span>
              <Link to="/verify?part=log" className="text-signal-ink underline">
                {leaf}
              </Link>
            </p>
            <p className="flex items-center justify-between gap-3 pt-2">
              <span>{t("permissions.chain.head")}</span>
              <Hash value={head} label={t("permissions.chain.head")} />
            </p>
          </>
        )}
      </Section>
    </>
  );
}

function PermissionRow({ power }: { power: Permissions["permissions"][number] }) {
  const { formatList } = useIntl();
  const t = useText();
  const roles = power.roles.map((role) => t(`permissions.role.${role}`));
  return (
    <div className="flex flex-col gap-1.5 px-4 py-3" data-permission={power.name}>
      <p>{t(`permissions.allows.${power.name}`)}</p>
      <p className="text-small text-ink-faint">
        {t("permissions.held", { roles: formatList(roles, { type: "unit" }) })}
      </p>
      {power.raised || power.touches ? (
        <p className="flex flex-wrap gap-1.5">
          {power.raised ? <Badge>{t("permissions.raised")}</Badge> : null}
          {power.touches ? <Badge tone="warning">{t("permissions.touches")}</Badge> : null}
        </p>
      ) : null}
    </div>
  );
}
