import sql, { type Sql } from 'sql-template-tag'
import type { WebhookPayloadStage } from '#contract/account/webhook-payload.ts'
import { AWARDED_PROJECT_MOVEMENTS } from '#contract/catalogue/bid-state.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type StoredWebhookDelivery = {
  readonly id: string
  readonly webhookId: number
  readonly organisationId: number
  /** False if the webhook is paused; the delivery is then stored but not sent yet. */
  readonly isWaiting: boolean
}

/** Disables the statement timeout, because a load writes events for all organisations at once. */
const NO_TIMEOUT = { timeoutMs: 0 }
const PROJECT_EVENTS = ['match.new', 'project.changed', 'project.winner']

/**
 * SQL expression: public facts of `projects p` and its department `d`, in the form that `renderWebhookPayload` reads.
 */
const FACTS: Sql = sql`jsonb_build_object(
  'project_id', p.project_id, 'name', p.name, 'dept_name', d.name, 'dept_sub_name', d.sub_name,
  'province', coalesce(p.project_province, d.province), 'budget_satang', p.budget_satang, 'method', p.method, 'status', p.status,
  'movement', p.movement, 'submission_ends_on', p.submission_ends_on, 'submission_time', p.submission_time,
  'winner_name', p.winner_name, 'winner_satang', p.winner_satang, 'winner_announced_on', p.winner_announced_on)`

const IS_ACTIVE = sql`w.is_on and not o.is_disabled and not o.is_access_budget_year_only and o.code <> ${DEMO_ORGANISATION_CODE}`

export async function hasProjectWebhooks(tx: Db): Promise<boolean> {
  const [row] = await tx.query<{ some: boolean }>(
    sql`select exists (select from webhooks w where w.is_on and w.events && ${PROJECT_EVENTS}::text[]) as some`,
  )
  return row!.some
}

/**
 * Inserts deliveries from the rows that `selection` returns (organisation_id, webhook_id, is_paused, type, project_id,
 * data).
 */
async function storeDeliveries(
  tx: Db,
  selection: Sql,
  { at, until }: { readonly at: Date; readonly until: Date },
): Promise<StoredWebhookDelivery[]> {
  return await tx.query<StoredWebhookDelivery>(
    sql`
    with found as materialized (${selection})
    insert into webhook_deliveries (organisation_id, webhook_id, type, project_id, at, data, state, reason, tries_until, settled_at)
    select f.organisation_id, f.webhook_id, f.type, f.project_id, ${at.toISOString()}::timestamptz, f.data,
      case when f.is_paused then 'dead' else 'waiting' end, case when f.is_paused then 'paused' end, ${until.toISOString()}::timestamptz,
      case when f.is_paused then ${at.toISOString()}::timestamptz end
    from found f order by f.webhook_id, f.project_id, f.type
    returning id, webhook_id as "webhookId", organisation_id as "organisationId", state = 'waiting' as "isWaiting"`,
    NO_TIMEOUT,
  )
}

type LoadEvents = { readonly loadId: number; readonly at: Date; readonly until: Date; readonly wonSince: string }

/**
 * Inserts events for the projects that this load wrote in each organisation's report: new and not awarded (D3), changed
 * in a tracked field, or awarded. A project first seen with its winner counts as awarded if the award is recent.
 */
export async function insertWebhookDeliveriesForLoad(
  tx: Db,
  { loadId, wonSince, ...moments }: LoadEvents,
): Promise<StoredWebhookDelivery[]> {
  const load = sql`${loadId}::bigint`
  return await storeDeliveries(
    tx,
    sql`
      select w.organisation_id, w.id as webhook_id, w.paused_at is not null as is_paused, e.type, p.project_id,
        jsonb_build_object('project', ${FACTS}) || e.more as data
      from projects p
      join departments d on d.id = p.department_id
      join project_matches m on m.project_id = p.project_id
      join webhooks w on w.organisation_id = m.organisation_id
      join organisations o on o.id = w.organisation_id
      cross join lateral (
        select 'match.new' as type, '{}'::jsonb as more
        where p.first_load = ${load} and p.winner_announced_on is null and p.status <> 'contract_created'
          and not p.movement = any (${[...AWARDED_PROJECT_MOVEMENTS]}::text[])
        union all
        select 'project.changed', jsonb_build_object('changes', (
          select jsonb_agg(jsonb_build_object('field', c.field, 'old', c.old_value, 'new', c.new_value) order by c.field)
          from project_changes c where c.project_id = p.project_id and c.load_id = ${load}))
        where p.changed_load = ${load} and p.first_load <> ${load}
          and exists (select from project_changes c where c.project_id = p.project_id and c.load_id = ${load})
        union all
        select 'project.winner', '{}'::jsonb
        where p.winner_name is not null and (
          exists (
            select from project_changes c where c.project_id = p.project_id and c.load_id = ${load} and c.field = 'winner_name' and c.new_value is not null
          ) or p.first_load = ${load} and coalesce(p.winner_announced_on, p.contract_signed_on) >= ${wonSince}::date)
      ) e
      where p.written_load = ${load} and e.type = any (w.events) and ${IS_ACTIVE}`,
    moments,
  )
}

export type PursuitStageChange = {
  readonly organisationId: number
  readonly projectId: string
  readonly before: WebhookPayloadStage
  readonly after: WebhookPayloadStage
  readonly at: Date
}

/** Inserts stage events, whether or not the project is in the report, because pursuits belong to the organisation. */
export async function insertWebhookDeliveriesForStageChange(
  tx: Db,
  { organisationId, projectId, before, after, ...moments }: PursuitStageChange & { readonly until: Date },
): Promise<StoredWebhookDelivery[]> {
  const stages = JSON.stringify({ stage: after, previous_stage: before })
  return await storeDeliveries(
    tx,
    sql`
      select w.organisation_id, w.id as webhook_id, w.paused_at is not null as is_paused, 'pursuit.stage' as type, p.project_id,
        jsonb_build_object('project', ${FACTS}) || ${stages}::jsonb as data
      from webhooks w
      join projects p on p.project_id = ${projectId}
      join departments d on d.id = p.department_id
      where w.organisation_id = ${organisationId}::int and w.is_on and 'pursuit.stage' = any (w.events)`,
    moments,
  )
}

/** Inserts a test event. Tests are attempted once, so their retry period ends at once. */
export async function insertTestWebhookDelivery(
  tx: Db,
  {
    organisationId,
    webhookId,
    at,
    type,
  }: { readonly organisationId: number; readonly webhookId: number; readonly at: Date; readonly type: string },
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(sql`
    insert into webhook_deliveries (organisation_id, webhook_id, type, at, data, state, tries_until)
    values (${organisationId}::int, ${webhookId}::int, ${type}, ${at.toISOString()}::timestamptz, '{}', 'waiting', ${at.toISOString()}::timestamptz)
    returning id`)
  return row!.id
}
