import sql from 'sql-template-tag'
import type { Webhook, WebhookDeliveryState, WebhookEvent } from '#contract/account/webhook.ts'
import type { Db } from '#server/platform/engine/db.ts'

type View = { readonly owner: number; readonly id: string }

export type StoredWebhook = Omit<Webhook, 'view' | 'paused' | 'last' | 'counts'> & {
  readonly view_owner: number | null
  readonly view_id: string | null
  readonly view_name: string | null
  readonly paused_at: string | null
  readonly pause_reason: 'gone' | 'failing' | null
  readonly last: { readonly at: string; readonly status: number | null; readonly fault: string | null } | null
  readonly counts: Readonly<Partial<Record<WebhookDeliveryState, number>>> | null
}

export async function listWebhooks(db: Db, organisationId: number, id?: number): Promise<StoredWebhook[]> {
  return await db.query<StoredWebhook>(sql`
    select w.id, w.name, w.url, w.events, w.view_owner, w.view_id, f.name as view_name, w.is_on, w.paused_at, w.pause_reason, w.failing_since,
      w.old_secret_until, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as made_by, w.created_at,
      (select jsonb_build_object('at', a.at, 'status', a.status, 'fault', a.fault)
        from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id where d.webhook_id = w.id order by a.id desc limit 1) as last,
      (select jsonb_object_agg(c.state, c.count) from (
        select d.state, count(*) as count from webhook_deliveries d where d.webhook_id = w.id group by d.state) c) as counts
    from webhooks w
    left join users u on u.id = w.made_by
    left join saved_filters f on f.user_id = w.view_owner and f.id = w.view_id and f.shared_with = w.organisation_id
    where w.organisation_id = ${organisationId}::int and (${id ?? null}::int is null or w.id = ${id ?? null}::int)
    order by w.created_at desc, w.id desc`)
}

export async function listWebhookViews(db: Db, organisationId: number): Promise<(View & { readonly name: string })[]> {
  return await db.query<View & { readonly name: string }>(sql`
    select f.user_id as owner, f.id, f.name from saved_filters f
    where f.shared_with = ${organisationId}::int order by f.name, f.user_id, f.id`)
}

type NewWebhook = {
  readonly organisationId: number
  readonly userId: number
  readonly name: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly view: View | null
  /** Encrypted. */
  readonly secret: string
  readonly at: Date
  readonly most: number
}

/**
 * Stores a webhook and returns its id, or undefined if the organisation is at its limit. Call in a transaction: the row
 * lock serialises concurrent calls.
 */
export async function storeWebhook(tx: Db, webhook: NewWebhook): Promise<number | undefined> {
  const { organisationId, view } = webhook
  await tx.query(sql`select from organisations where id = ${organisationId}::int for update`)
  const [stored] = await tx.query<{ id: number }>(sql`
    insert into webhooks (organisation_id, made_by, name, url, events, view_owner, view_id, secret, created_at)
    select ${organisationId}::int, ${webhook.userId}::int, ${webhook.name}, ${webhook.url}, ${[...webhook.events]}::text[],
      ${view?.owner ?? null}::int, ${view?.id ?? null}, ${webhook.secret}, ${webhook.at.toISOString()}::timestamptz
    where (select count(*) from webhooks w where w.organisation_id = ${organisationId}::int) < ${webhook.most}::int
    returning id`)
  return stored?.id
}

export type WebhookChange = {
  readonly name?: string | undefined
  readonly url?: string | undefined
  readonly events?: readonly WebhookEvent[] | undefined
  /** Undefined leaves the view unchanged; null means all projects. */
  readonly view?: View | null | undefined
  readonly is_on?: boolean | undefined
}

/** Changes a webhook; undefined fields stay unchanged. Enabling it or changing its URL resets pause and cooldown. */
export async function updateWebhookRow(
  tx: Db,
  organisationId: number,
  id: number,
  { name, url, events, view, is_on: isOn }: WebhookChange,
): Promise<void> {
  const isReset = isOn === true || url !== undefined
  await tx.execute(sql`
    update webhooks set name = coalesce(${name ?? null}, name), url = coalesce(${url ?? null}, url),
      events = coalesce(${events === undefined ? null : [...events]}::text[], events),
      view_owner = case when ${view !== undefined}::boolean then ${view?.owner ?? null}::int else view_owner end,
      view_id = case when ${view !== undefined}::boolean then ${view?.id ?? null} else view_id end,
      is_on = coalesce(${isOn ?? null}::boolean, is_on),
      paused_at = case when ${isReset}::boolean then null else paused_at end,
      pause_reason = case when ${isReset}::boolean then null else pause_reason end,
      failing_since = case when ${isReset}::boolean then null else failing_since end,
      failures = case when ${isReset}::boolean then 0 else failures end,
      rests_until = case when ${isReset}::boolean then null else rests_until end
    where id = ${id}::int and organisation_id = ${organisationId}::int`)
}

/**
 * Makes a user responsible for a webhook after they set its target or enabled it: the webhook is switched off when that
 * user loses access (see the folder standing-access).
 */
export async function setWebhookOwner(
  tx: Db,
  id: number,
  { userId, at, moves }: { readonly userId: number; readonly at: Date; readonly moves: boolean },
): Promise<void> {
  await tx.execute(sql`
    update webhooks set made_by = ${userId}::int, aimed_at = case when ${moves}::boolean then ${at.toISOString()}::timestamptz else aimed_at end
    where id = ${id}::int`)
}

export async function rotateWebhookSecret(
  tx: Db,
  organisationId: number,
  id: number,
  { secret, until }: { readonly secret: string; readonly until: Date },
): Promise<void> {
  await tx.execute(sql`
    update webhooks set old_secret = secret, old_secret_until = ${until.toISOString()}::timestamptz, secret = ${secret}
    where id = ${id}::int and organisation_id = ${organisationId}::int`)
}

export async function removeWebhook(tx: Db, organisationId: number, id: number): Promise<string | undefined> {
  const [removed] = await tx.query<{ name: string }>(
    sql`delete from webhooks where id = ${id}::int and organisation_id = ${organisationId}::int returning name`,
  )
  return removed?.name
}
