import type { FastifyRequest } from 'fastify'
import { searchWords } from '#contract/filter-words.ts'
import { parseReportSearch } from '#contract/report-params.ts'
import type { SaidUsage } from '#server/route/route-app.ts'

/** What the usage log says of a page of the report: its filters in words. A page without any, and those behind the first, say nothing new. */
export function saySearch({ query }: FastifyRequest): SaidUsage | undefined {
  const { search } = parseReportSearch(query as Record<string, string>)
  const words = search.page === undefined ? searchWords(search, []) : []
  if (words.length === 0) return undefined
  return {
    type: 'search',
    description: 'ค้นหาในรายงาน',
    info: words.map(({ label, value, negated }) => ({
      name: label || 'แท็บ',
      value: negated ? `ไม่ใช่ ${value}` : value,
    })),
  }
}
