import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { decodeNameFromUrlPath } from '#contract/catalogue/company-name-part.ts'
import { buildDatedFileName } from '#contract/dated-file-name.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import type { AuditDetail } from '#server/account/usage-log/audit-event.ts'
import { recordExportDownload } from '#server/account/usage-log/audit-events.ts'
import { toFlatQueryParams } from '#server/platform/route/parse-query-params.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { loadCompanyDetail } from './company-detail.ts'
import { companyQuerystringSchema, parseCompanyInput } from './company-input.ts'
import { findCompanyPage, presentCompanies } from './company-list.ts'
import { findCompany } from './find-company.ts'
import { createCompanyListScopeCache } from './list-scope-cache.ts'
import type { CompanyFactCache } from './memory/company-fact-cache.ts'
import { presentCompanyProjects } from './present-projects.ts'
import { loadKeywordGroupNames } from './queries/group-names.ts'
import { loadCompanyProjects } from './queries/stored-projects.ts'
import {
  type CompanyWorkbookContext,
  formatFileTruncationNote,
  writeCompanyListWorkbook,
  writeCompanyWorkbook,
} from './write-company-workbook.ts'

/**
 * Maximum rows of a file, which should be a readable table rather than a database copy. One query returns all rows,
 * because paging would recount everything for each page.
 */
const MAX_ROWS = 5_000

export function companyWorkbookRoutes(
  app: RouteApp,
  context: RouteContext & { readonly memory?: CompanyFactCache | undefined },
): void {
  const { db } = context
  const scopeOf = createCompanyListScopeCache(db)

  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    { name, detail, file }: { name: string; detail: AuditDetail; file: () => AsyncGenerator<Buffer> },
  ) =>
    sendAttachment(request, reply, {
      name: buildDatedFileName(`${name}-`, context.now()),
      format: 'xlsx',
      record: () => recordExportDownload(context, request, detail),
      content: file,
    })

  const config = { feature: 'company_compare', demo: 'forbidden' } as const

  app.get(
    '/company-files/list',
    {
      config,
      schema: {
        tags: ['company'],
        summary: 'Download the companies of a search as a workbook',
        querystring: companyQuerystringSchema,
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId } = actor
      const { search } = parseCompanyInput(request.query)
      const listScope = { organisationId, userId, search: { ...search, page: 1, page_size: MAX_ROWS } }
      const { list, scoped } = await findCompanyPage(db, listScope, { scopeOf, memory: context.memory })
      const about: CompanyWorkbookContext = {
        search,
        scope: scoped.scope,
        groupNames: await loadKeywordGroupNames(db, organisationId, search.keyword_group__in),
        now: context.now(),
      }
      return send(request, reply, {
        name: 'companies',
        detail: { list: 'companies', total: list.total },
        file: () =>
          writeCompanyListWorkbook(
            presentCompanies(list.rows),
            about,
            formatFileTruncationNote(MAX_ROWS, list.total, 'บริษัท'),
          ),
      })
    },
  )

  app.get(
    '/company-files/company',
    {
      config,
      schema: {
        tags: ['company'],
        summary: 'Download one company as a workbook: figures, departments, competitors, projects',
        querystring: z.looseObject({ name: z.optional(z.union([z.string(), z.array(z.string())])) }),
      },
    },
    async (request, reply) => {
      const { name, ...otherParams } = toFlatQueryParams(request.query)
      if (!name) throw new ProblemError('bad_input', { fields: { name: ['ระบุชื่อบริษัทตามที่อยู่ของหน้าบริษัท'] } })
      const { search } = parseCompanyInput(otherParams)
      const actor = await context.actorOf(request)
      const { organisationId } = actor
      const scope = { search, organisationId }
      const today = getBangkokToday(context.now())
      const company = await findCompany(db, decodeNameFromUrlPath(name), search.tin)
      if (!company) throw new ProblemError('not_found')
      const detail = await loadCompanyDetail(db, company, scope, today)
      const paging = { page: 1, pageSize: MAX_ROWS }
      const stored = await loadCompanyProjects(db, company.id, scope, {
        rows: { kind: 'all' },
        order: { field: 'decided_date', isDescending: true },
        ...paging,
        today,
      })
      const projects = presentCompanyProjects(stored, paging, () => '')
      const about: CompanyWorkbookContext = {
        search,
        scope: detail.scope,
        groupNames: await loadKeywordGroupNames(db, organisationId, search.keyword_group__in),
        now: context.now(),
      }
      return send(request, reply, {
        name: 'company',
        detail: { companies: [company.name] },
        file: () =>
          writeCompanyWorkbook(
            detail,
            projects.results,
            about,
            formatFileTruncationNote(MAX_ROWS, projects.total, 'โครงการ'),
          ),
      })
    },
  )
}
