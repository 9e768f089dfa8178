import { USAGE_LOG_PARAMS } from '#contract/account/usage-log.ts'
import { BUDGET_PARAMS } from '#contract/market/budget-params.ts'
import { COMPANY_PARAMS } from '#contract/market/company-params.ts'
import { REPORT_PARAMS } from '#contract/report/report-params.ts'
import { MATRIX } from '../../test/authorisation-matrix/matrix.ts'

type Schema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}
type Operation = {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
}
/** One parameter to attack; sqlmap inserts its payload at the `*`. */
export type Target = { readonly name: string; readonly method: string; readonly url: string; readonly body?: string }

const READ_LOOSELY: Readonly<Record<string, readonly { readonly name: string }[]>> = {
  '/api/v2/budgets': BUDGET_PARAMS,
  '/api/v2/budgets/summary': BUDGET_PARAMS,
  '/api/v2/company-comparison': COMPANY_PARAMS,
  '/api/v2/company-comparison/projects': COMPANY_PARAMS,
  '/api/v2/organisations/me/logs': USAGE_LOG_PARAMS,
  '/api/v2/organisations/me/logs/export': USAGE_LOG_PARAMS,
}
/** Values that the catalogues accept, so that each payload runs in an otherwise successful request. */
const KIND_VALUES: Readonly<Record<string, string>> = {
  flag: 'true',
  dates: '2026-01-01,2026-12-31',
  money: '1,1000000',
  year: '2569',
  size: '20',
  ids: '67110000001',
}
const USUAL = new Map<string, string>(
  [...REPORT_PARAMS, ...COMPANY_PARAMS, ...BUDGET_PARAMS, ...USAGE_LOG_PARAMS].map((param) => [
    param.name,
    ('of' in param ? param.of[0] : undefined) ?? KIND_VALUES[param.kind] ?? '1',
  ]),
)

/** Returns every parameter of the OpenAPI document, each in a request that is as valid as the schema allows. */
export async function listTargets(base: string): Promise<Target[]> {
  const document = (await (await fetch(`${base}/api/docs/json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(document.paths).flatMap(([pattern, operations]) =>
    Object.entries(operations).flatMap(([verb, operation]) => {
      const method = verb.toUpperCase()
      const line = `${method} ${pattern}`
      const named = operation.parameters ?? []
      const row = MATRIX[`${method} ${pattern.replace(/\{(\w+)\}/g, ':$1')}`]
      const filled = (mark?: string) =>
        `${base}${pattern.replace(/\{([^{}]+)\}/g, (_, name: string) => `1${name === mark ? '*' : ''}`)}`
      const inPath = named.filter((param) => param.in === 'path')
      const inQuery = [...named.filter((param) => param.in === 'query'), ...(READ_LOOSELY[pattern] ?? [])]
      const body = row?.full?.body ?? sampleOf(operation.requestBody?.content?.['application/json']?.schema)
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return [
        ...inPath.map(({ name }) => ({ name: `${line} {${name}}`, method, url: filled(name), ...sent })),
        ...inQuery.map(({ name }) => ({
          name: `${line} ${name}`,
          method,
          url: `${filled()}?${name}=${encodeURIComponent(USUAL.get(name) ?? '1')}*`,
          ...sent,
        })),
        ...leavesOf(body).map(({ at, marked }) => ({ name: `${line} ${at}`, method, url: filled(), body: marked })),
      ]
    }),
  )
}

function sampleOf(schema: Schema | undefined): unknown {
  if (!schema) return undefined
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (choice) return sampleOf(choice)
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, sampleOf(property)]),
      )
    case 'array':
      return [sampleOf(schema.items) ?? 'x']
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return 'anong@siamyotha.example'
  }
}

/** Returns a copy of the body for each text and number in it, in which that value ends with the injection mark. */
function leavesOf(body: unknown): { at: string; marked: string }[] {
  const leaves: { at: string; marked: string }[] = []
  const walk = (value: unknown, trail: readonly (string | number)[]): void => {
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) walk(inner, [...trail, key])
    else if (typeof value === 'string' || typeof value === 'number')
      leaves.push({ at: trail.join('.'), marked: JSON.stringify(withMark(body, trail)) })
  }
  walk(body, [])
  return leaves
}

function withMark(value: unknown, [first, ...rest]: readonly (string | number)[]): unknown {
  if (first === undefined) return `${value}*`
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<number, unknown>)
    : { ...(value as object) }
  copy[first] = withMark(copy[first], rest)
  return copy
}
