import { companyListSchema } from '#contract/market/company.ts'
import { formatCompanySearch } from '#contract/market/company-params.ts'
import { replaceSearchParams } from '#server/platform/route/page-links.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { companyQuerystringSchema, parseCompanyInput } from './company-input.ts'
import { loadCompanyList } from './company-list.ts'
import { createCompanyListScopeCache } from './list-scope-cache.ts'
import type { CompanyFactCache } from './memory/company-fact-cache.ts'

export function companyListRoutes(
  app: RouteApp,
  context: RouteContext & { readonly memory?: CompanyFactCache | undefined },
): void {
  const scopeOf = createCompanyListScopeCache(context.db)
  app.get(
    '/companies',
    {
      config: { feature: 'company_compare', key: 'companies' },
      schema: {
        tags: ['company'],
        summary:
          'List companies that bid or won in a scope, page by page. Totals cover all results; `scope` is the whole market or the report of the organisation',
        querystring: companyQuerystringSchema,
        response: { 200: companyListSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId } = actor
      const { search, ignored } = parseCompanyInput(request.query)
      const listScope = { search, organisationId, userId }
      return loadCompanyList(context.db, listScope, {
        scopeOf,
        memory: context.memory,
        ignored,
        linkTo: (page) => replaceSearchParams(request.url, formatCompanySearch({ ...search, page })),
      })
    },
  )
}
