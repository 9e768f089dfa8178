import { parseQueryParams, type QueryParam, type SearchFromQueryParams } from '#contract/http/query-params.ts'
import { SEARCH_ERROR_TEXTS } from '#contract/search/search-errors.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { ProblemError } from './route-problem.ts'

const EXPECTED: { readonly [K in QueryParam['kind']]: string } = {
  flag: 'ใช้ได้เฉพาะค่า true',
  list: 'มีค่าที่ไม่รู้จัก หรือเกิน 200 รายการ',
  year: 'ต้องเป็นปีงบประมาณ พ.ศ. สี่หลัก',
  money: 'ต้องเป็นช่วงจำนวนเงิน เช่น 500000,2000000 และค่าแรกต้องไม่มากกว่าค่าหลัง',
  dates: 'ต้องเป็นช่วงวันที่ เช่น 2026-01-01,2026-01-31 และวันแรกต้องไม่หลังวันสุดท้าย',
  percent: 'ต้องเป็นร้อยละ 0 ถึง 50',
  choice: 'ใช้ค่านี้ไม่ได้',
  count: 'ต้องเป็นจำนวนเต็มที่อยู่ในช่วงที่ใช้ได้',
  size: 'ใช้จำนวนต่อหน้านี้ไม่ได้',
  text: 'ใช้ค่านี้ไม่ได้ หรือยาวเกินไป',
  expression: 'คำค้นไม่ถูกรูปแบบ',
}

function reasonFor({ kind }: QueryParam, value: string): string {
  if (kind !== 'expression') return EXPECTED[kind]
  const parsed = parseSearchExpression(value)
  if (parsed.ok) return EXPECTED.expression
  return `${SEARCH_ERROR_TEXTS[parsed.error.code]} (ตำแหน่งที่ ${parsed.error.position + 1}, ${parsed.error.code})`
}

export function toFlatQueryParams(query: unknown): Record<string, string> {
  const pairs = Object.entries(query as Record<string, unknown>)
  const repeated = pairs.filter(([, value]) => typeof value !== 'string')
  if (repeated.length > 0)
    throw new ProblemError('bad_input', {
      fields: Object.fromEntries(repeated.map(([name]) => [name, ['ระบุค่าได้เพียงครั้งเดียว']])),
    })
  // `fromEntries` instead of assignment, because a parameter may be called `__proto__`.
  return Object.fromEntries(pairs as [string, string][])
}

export function throwParameterProblem(
  params: readonly QueryParam[],
  refused: readonly { readonly name: string; readonly value: string }[],
): never {
  const fields = refused.map(({ name, value }): [string, string[]] => {
    const param = params.find((candidate) => candidate.name === name)
    return [name, [param ? reasonFor(param, value) : EXPECTED.choice]]
  })
  throw new ProblemError('bad_input', { fields: Object.fromEntries(fields) })
}

export type ParsedQueryParams<P extends QueryParam> = {
  readonly search: SearchFromQueryParams<P>
  readonly ignored: readonly string[]
}

/**
 * Parses the decoded query string by the parameters of a catalogue. Throws `bad_input` (400) for unreadable or repeated
 * parameters, because ignoring a filter would silently widen the result. `parse`: the catalogue's custom parser, if
 * any.
 */
export function parseQueryParamsOrThrow<P extends QueryParam>(
  params: readonly P[],
  query: unknown,
  parse: (flat: Readonly<Record<string, string>>) => ReturnType<typeof parseQueryParams<P>> = (flat) =>
    parseQueryParams(params, flat),
): ParsedQueryParams<P> {
  const { search, ignored } = parse(toFlatQueryParams(query))
  const invalid = ignored.filter(({ reason }) => reason === 'invalid')
  if (invalid.length > 0) throwParameterProblem(params, invalid)
  return { search, ignored: ignored.map(({ name }) => name).sort() }
}
