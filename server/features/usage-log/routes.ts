import { Readable } from 'node:stream'
import { bangkokToday } from '#contract/thai-date.ts'
import { USAGE_DEFAULT_PAGE_SIZE, USAGE_PARAMS, type UsagePage, usagePageSchema } from '#contract/usage-log.ts'
import { recordUsage } from '#server/db/usage-events.ts'
import { readFlatInput } from '#server/route/flat-input.ts'
import { pageLinks } from '#server/route/page-links.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { countUsage, loadOrganisationName, loadUsage, loadUsageFrame } from './queries.ts'
import { usageFile } from './usage-file.ts'

const config = { feature: 'report', role: 'super_user' } as const
const tags = ['usage log']
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** GET /organisations/me/logs and its file: what the people of an organisation did, for its super users (specification section 6). */
export function usageLogRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  app.get(
    '/organisations/me/logs',
    {
      config,
      schema: {
        tags,
        summary: 'What the people of the organisation did, newest first',
        response: { 200: usagePageSchema },
      },
    },
    async (request): Promise<UsagePage> => {
      const { organisationId } = await context.actorOf(request)
      const { search, ignored } = readFlatInput(USAGE_PARAMS, request.query)
      const { page = 1, page_size: size = USAGE_DEFAULT_PAGE_SIZE } = search
      const offset = (page - 1) * size
      return db.transaction(
        async (tx) => {
          const total = await countUsage(tx, organisationId, search)
          const { users, firstAt } = await loadUsageFrame(tx, organisationId)
          return {
            links: pageLinks({ page, pageSize: size, total }, (to) => linkOf(request.query, to)),
            total_project: total,
            page,
            page_size: size,
            results: offset < total ? await loadUsage(tx, organisationId, search, { limit: size, offset }) : [],
            users,
            first_at: firstAt,
            ignored_parameters: [...ignored],
          }
        },
        { readOnly: true },
      )
    },
  )

  app.get(
    '/organisations/me/logs/export',
    { config, schema: { tags, summary: 'The usage log as an Excel file; takes the filters of the list' } },
    async (request, reply) => {
      const { organisationId, userId } = await context.actorOf(request)
      const { search } = readFlatInput(USAGE_PARAMS, request.query)
      const now = context.now()
      // Gregorian, as files sort by it (trust.md C19).
      const name = `USAGE_HISTORY_${bangkokToday(now).replaceAll('-', '')}.xlsx`
      reply.type(XLSX).header('content-disposition', `attachment; filename="${name}"; filename*=UTF-8''${name}`)
      if (request.method === 'HEAD') return reply.send()
      await recordUsage(db, [
        {
          organisationId,
          userId,
          at: now,
          type: 'export',
          description: 'ส่งออกประวัติการใช้งาน',
          info: [{ name: 'ไฟล์', value: name }],
        },
      ])
      const organisation = await loadOrganisationName(db, organisationId)
      const file = await usageFile(db, organisationId, search, { organisation, now })
      return reply.send(Readable.from(file, { objectMode: false, highWaterMark: 1 }))
    },
  )
}

/** A relative address: a host of ours in it would be sent a token that is not its own (trust.md C18). */
function linkOf(query: unknown, page: number): string {
  const params = new URLSearchParams(query as Record<string, string>)
  params.set('page', String(page))
  return `/api/v2/organisations/me/logs?${params}`
}
