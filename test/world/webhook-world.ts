import sql from 'sql-template-tag'
import type { WebhookEvent } from '#contract/account/webhook.ts'
import { createWebhookSecret, createWebhookSecretCipher } from '#server/channels/webhook/webhook-signature.ts'
import { writeWebhookEventsForLoad } from '#server/channels/webhook-event/write-webhook-events.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createOutgoingPost } from '#server/platform/outgoing/outgoing-post.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { TEST_SECRET } from '../server/http-app.ts'
import { addLoad, addOrganisation, addUser, type ProjectInput, putProjects } from './report-world.ts'

export const EVENTS: readonly WebhookEvent[] = ['match.new', 'project.changed', 'project.winner', 'pursuit.stage']

/** Job dependencies with the real HTTP client, which may call this machine, and a shorter timeout. */
export const webhookTestDependencies = {
  webhooks: {
    post: createOutgoingPost({ isLoopbackAllowed: true, answerMs: 1_500 }),
    seal: createWebhookSecretCipher([TEST_SECRET]),
    mails: createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' }),
  },
}

export async function addWebhookOwner(db: Db): Promise<{ organisationId: number; userId: number }> {
  const organisationId = await addOrganisation(db)
  const userId = await addUser(db, organisationId)
  await db.execute(sql`update users set role = 'super_user' where id = ${userId}::int`)
  return { organisationId, userId }
}

type NewWebhook = {
  readonly organisationId: number
  readonly userId: number
  readonly url: string
  readonly events?: readonly WebhookEvent[]
  readonly view?: string
}

export async function addWebhook(
  db: Db,
  { organisationId, userId, url, events = EVENTS, view }: NewWebhook,
): Promise<{ id: number; secret: string }> {
  const secret = createWebhookSecret()
  const [stored] = await db.query<{ id: number }>(sql`
    insert into webhooks (organisation_id, made_by, name, url, events, view_owner, view_id, secret, created_at)
    values (${organisationId}::int, ${userId}::int, 'โปรแกรม', ${url}, ${[...events]}::text[], ${view === undefined ? null : userId}::int, ${view ?? null},
      ${webhookTestDependencies.webhooks.seal.seal(secret)}, '2026-11-20T00:00:00Z') returning id`)
  return { id: stored!.id, secret }
}

export async function loadWithEvents(
  db: Db,
  projects: readonly (Partial<ProjectInput> & { id: string })[],
  at: Date,
): Promise<{ load: number; written: number }> {
  const load = await addLoad(db)
  await putProjects(db, load, projects)
  const written = await db.transaction(async (tx) => {
    await matchDataLoadProjects(tx, load)
    return await writeWebhookEventsForLoad(tx, load, at)
  })
  return { load, written }
}

type DeliveryRow = {
  readonly id: string
  readonly type: string
  readonly state: string
  readonly reason: string | null
  readonly attempts: number
}

export const listDeliveries = (db: Db, webhookId: number): Promise<DeliveryRow[]> =>
  db.query(sql`
    select id, type, state, reason, attempts from webhook_deliveries where webhook_id = ${webhookId}::int order by at, project_id, type`)
