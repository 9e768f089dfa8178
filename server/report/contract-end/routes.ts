import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import {
  CONTRACT_ENDS_PAGE_SIZE,
  type ContractEnd,
  contractEndListSchema,
  DEFAULT_CONTRACT_END_DAYS,
} from '#contract/catalogue/contract-ends-list.ts'
import type { PurchaseHistory } from '#contract/catalogue/purchase-history.ts'
import { getSearchFilterTexts } from '#contract/report/filter-text.ts'
import { REPORT_PARAMS } from '#contract/report/report-params.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { countDaysBetween, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { loadPurchaseHistories } from '#server/report/project/load-purchase-history.ts'
import { parseReportQueryInput } from '#server/report/report-input.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'
import { loadContractEnds, type StoredContractEnd } from './queries.ts'

/** Names the parameters for the OpenAPI document; `parseReportQueryInput` validates them with errors in Thai. */
const querystring = z.looseObject(
  Object.fromEntries(REPORT_PARAMS.map(({ name }) => [name, z.optional(z.union([z.string(), z.array(z.string())]))])),
)

function describeUsage({ query }: FastifyRequest): UsageDescription | undefined {
  const { search } = parseReportQueryInput(query)
  if (search.page !== undefined) return undefined
  return {
    type: 'open',
    description: 'ดูสัญญาที่ใกล้หมด',
    info: getSearchFilterTexts(search, []).map(({ label, value, negated }) => ({
      name: label || 'แท็บ',
      value: negated ? `ไม่ใช่ ${value}` : value,
    })),
  }
}

const present = (row: StoredContractEnd, history: PurchaseHistory, today: string): ContractEnd => ({
  project_id: row.project_id,
  // When contracts share a number, the stored number has a distinguishing suffix after a line break.
  contract_no: row.contract_no.split('\n')[0]!,
  name: row.name,
  dept_name: row.dept_name,
  dept_sub_name: row.dept_sub_name,
  province: getProvinceName(row.province),
  method: row.method,
  winner_name: row.winner_name,
  amount: satangToBaht(row.amount),
  project_amount: satangToBaht(row.project_amount),
  project_contracts: row.project_contracts,
  signed_date: row.signed_on,
  end_date: row.ends_on,
  days_left: countDaysBetween(today, row.ends_on),
  history,
})

export function contractEndRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  app.get(
    '/contract-ends',
    {
      config: { feature: 'report', usage: describeUsage },
      schema: {
        tags: ['report'],
        summary:
          'List current contracts that end within `ends_within` days. Covers the projects that a search in the report of the caller finds, with the yearly purchase pattern of their units',
        querystring,
        response: { 200: contractEndListSchema },
      },
    },
    async (request) => {
      const { search, ignored } = parseReportQueryInput(request.query)
      const actor = await context.actorOf(request)
      const { organisationId, userId } = actor
      const now = context.now()
      const today = getBangkokToday(now)
      const within = search.ends_within ?? DEFAULT_CONTRACT_END_DAYS
      const scope = { organisationId, userId, today, visit: await findPreviousReportVisit(db, userId, now) }
      const stored = await loadContractEnds(db, { ...search, ends_within: within }, scope)
      const historyScope = { organisationId, today }
      const histories = await loadPurchaseHistories(db, stored.rows, historyScope)
      return {
        total: stored.total,
        projects: stored.projects,
        value: stored.value === null ? null : Number(stored.value) / 100,
        n_value: stored.n_value,
        ...(stored.amounts_in_doubt > 0 ? { amounts_in_doubt: stored.amounts_in_doubt } : {}),
        within,
        page: search.page ?? 1,
        page_size: CONTRACT_ENDS_PAGE_SIZE,
        results: stored.rows.map((row, at) => present(row, histories[at]!, today)),
        ignored_parameters: [...ignored],
      }
    },
  )
}
