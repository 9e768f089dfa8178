import { z } from 'zod/mini'
import {
  API_KEY_SCOPES,
  apiKeysSchema,
  createdApiKeySchema,
  MAX_API_KEYS,
  type NewApiKey,
  newApiKeySchema,
} from '#contract/account/api-key.ts'
import { notifySuperUsers } from '#server/account/account-notice/notify-super-users.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { renderApiKeyCreatedMail } from '#server/platform/mail/notice-mails.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import { generateApiKeyText } from './api-key-text.ts'
import { listApiKeys, removeApiKey, storeApiKey } from './queries.ts'

const DAY_MS = 86_400_000
const ENDING_LENGTH = 4

const tags = ['api-key']
const config = { role: 'super_user', demo: 'forbidden' } as const
const toIso = (text: string) => new Date(text).toISOString()

export function apiKeyRoutes(app: RouteApp, context: RouteContext): void {
  const { db, now } = context

  app.get(
    '/organisations/me/api-keys',
    {
      config,
      schema: { tags, summary: 'List API keys, without their secrets', response: { 200: apiKeysSchema } },
    },
    async (request) => {
      const keys = await listApiKeys(db, (await context.actorOf(request)).organisationId)
      return {
        keys: keys.map((key) => ({
          ...key,
          created_at: toIso(key.created_at),
          expires_at: key.expires_at && toIso(key.expires_at),
          is_over: key.expires_at !== null && new Date(key.expires_at) <= now(),
          used_at: key.used_at && toIso(key.used_at),
        })),
        most: MAX_API_KEYS,
      }
    },
  )

  app.post(
    '/organisations/me/api-keys',
    {
      config: { ...config, fresh: true },
      schema: {
        tags,
        summary: 'Create an API key; the key is returned only once',
        body: newApiKeySchema,
        response: { 200: createdApiKeySchema },
      },
    },
    async (request) => makeKey(context, await context.actorOf(request), request.body, getRequestOrigin(request)),
  )

  app.delete(
    '/organisations/me/api-keys/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Revoke an API key; it stops working immediately',
        params: z.object({ id: z.string() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { userId, organisationId } = await context.actorOf(request)
      const id = parseRowId(request.params.id)
      await db.transaction(async (tx) => {
        const name = await removeApiKey(tx, organisationId, id)
        if (name === undefined) throw new ProblemError('not_found')
        const event = {
          kind: 'api_key_revoked',
          at: now(),
          userId,
          organisationId,
          ...getRequestOrigin(request),
        } as const
        await recordAuditEvent(tx, { ...event, detail: { name } })
      })
      return reply.code(204).send()
    },
  )
}

async function makeKey(
  { db, now, mails }: RouteContext,
  actor: Actor,
  { name, scopes: requestedScopes, days }: NewApiKey,
  origin: { readonly address: string; readonly requestId: string },
): Promise<{ id: number; key: string }> {
  const { userId, organisationId } = actor
  const at = now()
  const key = generateApiKeyText()
  const expiresAt = days === null ? null : new Date(at.getTime() + days * DAY_MS)
  const allowed = API_KEY_SCOPES.filter(({ code }) => requestedScopes.includes(code))
  const scopes = allowed.map(({ code }) => code)
  const stored = { organisationId, userId, name, scopes, at, expiresAt, most: MAX_API_KEYS }
  // Runs as superuser: a tenant may queue emails only to itself, but every super user is notified.
  const stores = async (tx: Db) => {
    const id = await storeApiKey(tx, { ...stored, keyHash: hashSecret(key), ending: key.slice(-ENDING_LENGTH) })
    if (id === undefined) throw new ProblemError('bad_input', { text: `มีคีย์ได้ไม่เกิน ${MAX_API_KEYS} คีย์ ยกเลิกคีย์ที่ไม่ใช้ก่อน` })
    const detail = { name, scopes, days }
    await recordAuditEvent(tx, { kind: 'api_key_made', at, userId, organisationId, ...origin, detail })
    const url = mails.link('/settings?tab=connect')
    const mail = { name, scopes: allowed.map(({ th }) => th), at, expiresAt, url }
    await notifySuperUsers(tx, mails, {
      ...{ kind: 'api_key_made', userId, organisationId, at, dedupeKey: `api_key:${id}`, sessionId: actor.sessionId },
      content: (notMeUrl, by) => renderApiKeyCreatedMail({ ...mail, by, notMeUrl }),
    })
    return { id, key }
  }
  return runWithoutTenant(() => db.transaction(stores))
}
