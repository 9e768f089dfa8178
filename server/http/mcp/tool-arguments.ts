import type { QueryParam } from '#contract/http/query-params.ts'
import type { ReportParam, ReportParamKind } from '#contract/report/report-param-kinds.ts'
import { REPORT_PAGE_SIZES } from '#contract/report/report-param-kinds.ts'
import { McpToolError } from './mcp-api.ts'

/** An argument of a tool. All are flat, because each becomes a query parameter or a path segment of a route. */
export type ToolArgument = {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'integer' | 'array'
  readonly description: string
  readonly isRequired?: boolean
  /** Accepted but not listed, so that the route can explain which scope it needs. */
  readonly isUnlisted?: boolean
}

const DATES = 'ช่วงวันที่ "จาก,ถึง" เช่น 2026-01-01,2026-01-31 หรือนับจากวันนี้ เช่น @0,@7 เว้นว่างได้ข้างหนึ่ง'
const MONEY = 'ช่วงจำนวนเงินเป็นบาท "ต่ำสุด,สูงสุด" เช่น 500000,2000000 เว้นว่างได้ข้างหนึ่ง'

const REPORT_FORMATS: { readonly [K in ReportParamKind]: Pick<ToolArgument, 'type' | 'description'> } = {
  flag: { type: 'boolean', description: 'ใช้ได้เฉพาะ true' },
  expression: { type: 'string', description: 'คำค้น: || คือหรือ, ## คือและ, << คือไม่เอา' },
  ids: { type: 'array', description: 'เลขที่โครงการของ e-GP' },
  sentences: { type: 'array', description: 'คำหรือวลี ค้นรวมคำที่ความหมายใกล้เคียง ใกล้ที่สุดก่อน' },
  list: { type: 'array', description: 'เลือกได้หลายค่า ใส่ << หน้าค่าแรกเพื่อไม่เอาค่าเหล่านี้' },
  money: { type: 'string', description: MONEY },
  dates: { type: 'string', description: DATES },
  ordering: { type: 'string', description: 'ชื่อคอลัมน์ ใส่ - ข้างหน้าเพื่อเรียงจากมาก' },
  count: { type: 'integer', description: 'จำนวนเต็ม' },
  text: { type: 'string', description: '' },
}

const choicesOf = (choices: readonly { readonly code: string; readonly th: string }[]) =>
  choices.map(({ code, th }) => `${code} (${th})`).join(', ')

export function toReportArgument(param: ReportParam): ToolArgument {
  const { type, description } = REPORT_FORMATS[param.kind]
  const choices = param.name === 'page_size' ? REPORT_PAGE_SIZES.join(', ') : choicesOf(param.choices ?? [])
  return { name: param.name, type, description: [param.th, description, choices].filter(Boolean).join(' · ') }
}

const QUERY_TYPES: Readonly<Partial<Record<QueryParam['kind'], ToolArgument['type']>>> = {
  flag: 'boolean',
  list: 'array',
  year: 'integer',
  count: 'integer',
}

export function toQueryArgument({ name, kind, th, of }: QueryParam): ToolArgument {
  const format = kind === 'year' ? 'พ.ศ. สี่หลัก' : ''
  return {
    name,
    type: QUERY_TYPES[kind] ?? 'string',
    description: [th, format, of?.join(', ')].filter(Boolean).join(' · '),
  }
}

export function toInputSchema(args: readonly ToolArgument[]) {
  const listed = args.filter(({ isUnlisted }) => !isUnlisted)
  return {
    type: 'object' as const,
    properties: Object.fromEntries(
      listed.map(({ name, type, description }) => [
        name,
        { type, description, ...(type === 'array' && { items: { type: 'string' } }) },
      ]),
    ),
    required: listed.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  }
}

/**
 * Returns the arguments as query parameters. Checks only names and types: the routes validate the values. Throws
 * McpToolError with every problem, because an ignored filter would silently widen the answer.
 */
export function parseToolArguments(
  args: readonly ToolArgument[],
  values: Readonly<Record<string, unknown>> = {},
): Record<string, string> {
  const problems: string[] = []
  const parsed: [string, string][] = []
  for (const [name, value] of Object.entries(values)) {
    const arg = args.find((candidate) => candidate.name === name)
    if (!arg) problems.push(`${name}: ไม่มีชื่อนี้ ใช้ได้ ${namesOf(args)}`)
    // A flag that is false is a filter that is off.
    else if (value !== null && value !== '' && value !== false) {
      const text = formatValue(value)
      if (text === undefined) problems.push(`${name}: ${TYPE_TEXTS[arg.type]}`)
      else parsed.push([name, text])
    }
  }
  for (const { name, description, isRequired } of args)
    if (isRequired && !parsed.some(([argument]) => argument === name)) problems.push(`${name}: ต้องระบุ ${description}`)
  if (problems.length > 0) throw new McpToolError(problems.join('\n'))
  return Object.fromEntries(parsed)
}

const namesOf = (args: readonly ToolArgument[]) =>
  args
    .filter(({ isUnlisted }) => !isUnlisted)
    .map(({ name }) => name)
    .join(', ')

const TYPE_TEXTS: { readonly [T in ToolArgument['type']]: string } = {
  string: 'ต้องเป็นข้อความ',
  boolean: 'ต้องเป็น true หรือ false',
  integer: 'ต้องเป็นจำนวนเต็ม',
  array: 'ต้องเป็นรายการข้อความ',
}

/** Models often send a single text for a list and a number as text, so any flat value counts as its text. */
function formatValue(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every(isFlat) ? value.join('||') : undefined
  }
  return isFlat(value) ? String(value) : undefined
}

const isFlat = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
