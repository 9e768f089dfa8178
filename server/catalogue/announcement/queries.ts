import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { AnnouncementAgency, PurchasingPlan, ReceivedAnnouncement } from './parse-announcement.ts'
import { toPlanMatchingTitle } from './parse-announcement.ts'

export async function findAnnouncedAgencies(
  db: Db,
  codes: readonly string[],
): Promise<ReadonlyMap<string, AnnouncementAgency>> {
  const rows = await db.query<AnnouncementAgency & { readonly code: string }>(sql`
    select code, name, province from agency_codes where code = any(${[...codes]}::text[])`)
  return new Map(rows.map(({ code, name, province }) => [code, { name, province }]))
}

export async function storePurchasingPlans(db: Db, plans: readonly PurchasingPlan[]): Promise<void> {
  if (plans.length === 0) return
  // One statement cannot upsert a row twice, so only the last plan with the same key is written.
  const rows = [...new Map(plans.map((plan) => [plan.planId, plan])).values()]
  await db.execute(sql`
    insert into purchase_plans (plan_id, agency_code, title, title_key, link, published_on)
    select "planId", "agencyCode", title, "titleKey", link, "publishedOn"
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as t ("planId" text, "agencyCode" text, title text, "titleKey" text, link text, "publishedOn" date)
    on conflict (plan_id) do update set agency_code = excluded.agency_code, title = excluded.title, title_key = excluded.title_key,
      link = excluded.link, published_on = excluded.published_on`)
}

async function findLinkCandidates(db: Db, plans: readonly PurchasingPlan[]): Promise<LinkCandidate[]> {
  if (plans.length === 0) return []
  const codes = [...new Set(plans.map(({ agencyCode }) => agencyCode))]
  const first = plans.map(({ publishedOn }) => publishedOn).toSorted()[0]!
  const rows = await db.query<{ agency_code: string; project_id: string; on: string; name: string }>(sql`
    select c.code as agency_code, p.project_id, p.name, min(a.announced_on)::text as "on"
    from agency_codes c
    join departments d on d.name = c.name and (c.province is null or d.province is null or d.province = c.province)
    join projects p on p.department_id = d.id
    join announcements a on a.project_id = p.project_id
    where c.code = any (${codes}::text[]) group by 1, 2, 3 having min(a.announced_on) >= ${first}::date`)
  return rows.map(({ name, ...row }) => ({ ...row, title_key: toPlanMatchingTitle(name) }))
}

type LinkCandidate = {
  readonly agency_code: string
  readonly title_key: string
  readonly project_id: string
  readonly on: string
}

/**
 * Links plans with the projects of these announcements if agency and title (apart from the method) are the same and the
 * plan is not younger. Ambiguous matches are skipped, because a wrong link is worse than a missing one. `plans` are
 * new, so their projects may already be stored. Returns the number of links.
 */
export async function linkPlansToProjects(
  db: Db,
  received: readonly ReceivedAnnouncement[],
  plans: readonly PurchasingPlan[] = [],
): Promise<number> {
  const announced = received
    .filter(({ type, agencyCode }) => type !== 'P0' && agencyCode !== '')
    .map(
      (item): LinkCandidate => ({
        agency_code: item.agencyCode,
        title_key: toPlanMatchingTitle(item.title),
        project_id: item.projectId.trim(),
        on: item.publishedOn,
      }),
    )
  const linkCandidates = [...announced, ...(await findLinkCandidates(db, plans))]
  if (linkCandidates.length === 0) return 0
  return db.execute(sql`
    with fitting as (
      select distinct p.plan_id, t.project_id
      from json_to_recordset(${JSON.stringify(linkCandidates)}::text::json) as t (agency_code text, title_key text, project_id text, "on" text)
      join purchase_plans p on p.agency_code = t.agency_code and p.title_key = t.title_key and p.project_id is null
        and p.published_on::text <= t."on"
      where exists (select from projects k where k.project_id = t.project_id)
    )
    update purchase_plans p set project_id = f.project_id
    from fitting f
    where p.plan_id = f.plan_id
      and not exists (select from fitting o where o.plan_id = f.plan_id and o.project_id <> f.project_id)
      and not exists (select from fitting o where o.project_id = f.project_id and o.plan_id <> f.plan_id)
      and not exists (select from purchase_plans o where o.project_id = f.project_id)`)
}
