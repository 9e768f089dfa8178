import { parseReportExpression, type ReportParamKind } from '#contract/report/report-param-kinds.ts'
import {
  findReportParam,
  isReportParam,
  type ParsedReportSearch,
  parseReportSearch,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import { SEMANTIC_SEARCH_LIMITS_MESSAGE } from '#contract/search/deep-search.ts'
import { SEARCH_ERROR_TEXTS } from '#contract/search/search-errors.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

const EXPECTED_TEXTS: { readonly [K in ReportParamKind]: string } = {
  flag: 'ใช้ได้เฉพาะค่า true',
  expression: 'คำค้นไม่ถูกรูปแบบ',
  ids: 'ต้องเป็นเลขที่โครงการ คั่นด้วย || ไม่เกิน 200 รายการ',
  sentences: SEMANTIC_SEARCH_LIMITS_MESSAGE,
  list: 'มีค่าที่ไม่รู้จัก หรือเกิน 200 รายการ',
  money: 'ต้องเป็นช่วงจำนวนเงิน เช่น 500000,2000000 และค่าแรกต้องไม่มากกว่าค่าหลัง',
  dates: 'ต้องเป็นช่วงวันที่ เช่น 2026-01-01,2026-01-31 หรือ @0,@7 และวันแรกต้องไม่หลังวันสุดท้าย',
  ordering: 'เรียงตามคอลัมน์นี้ไม่ได้',
  count: 'ต้องเป็นจำนวนเต็มที่อยู่ในช่วงที่ใช้ได้',
  text: 'มีค่าที่ไม่รู้จัก หรือยาวเกินไป',
}

function invalidValueText(name: string, value: string): string {
  if (!isReportParam(name)) return 'ระบุค่าได้เพียงครั้งเดียว'
  const { kind } = findReportParam(name)
  if (kind !== 'expression') return EXPECTED_TEXTS[kind]
  const parsed = parseReportExpression(name, value)
  if (parsed.ok) return EXPECTED_TEXTS.expression
  return `${SEARCH_ERROR_TEXTS[parsed.error.code]} (ตำแหน่งที่ ${parsed.error.position + 1}, ${parsed.error.code})`
}

type ReportQueryInput = {
  readonly search: ReportSearch
  readonly ignored: readonly string[]
}

/**
 * Reads the decoded query string. Throws `bad_input` (400) with every parameter that is malformed or repeated, because
 * ignoring a filter would silently widen the result.
 */
export function parseReportQueryInput(query: unknown): ReportQueryInput {
  const pairs = Object.entries(query as Record<string, unknown>)
  // Object.fromEntries instead of assignment, because a parameter may be called __proto__.
  const flat = Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
  const repeated = pairs.filter(([name]) => !Object.hasOwn(flat, name))
  const fields = Object.fromEntries(repeated.map(([name]) => [name, ['ระบุค่าได้เพียงครั้งเดียว']]))
  const { search, ignored }: ParsedReportSearch = parseReportSearch(flat)
  for (const { name, value, reason } of ignored)
    if (reason === 'invalid') fields[name] = [invalidValueText(name, value)]
  if (Object.keys(fields).length > 0) throw new ProblemError('bad_input', { fields })
  return { search, ignored: ignored.map(({ name }) => name).sort() }
}
