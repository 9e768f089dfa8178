import type { FilterCriteria, SavedFilterFieldName } from '../account/filter-criteria.ts'
import type { SavedFilter } from '../account/saved-filter.ts'
import {
  compileSearchChips,
  decodeSavedSearchChips,
  encodeSavedSearchChips,
  parseSearchChips,
  type SearchChip,
} from '../search/search-chips.ts'
import { parseSearchExpression } from '../search/search-grammar.ts'
import { findProvinceByName } from '../thai/province.ts'
import type { ListFilterValue, ReportParam, ReportParamKind } from './report-param-kinds.ts'
import {
  findReportParam,
  formatReportParam,
  formatReportSearch,
  getActiveReportFilters,
  type IgnoredReportParam,
  type ParsedReportSearch,
  parseReportSearch,
  REPORT_EXPRESSION_PARAMS,
  REPORT_PARAMS,
  type ReportParamName,
  type ReportSearch,
} from './report-params.ts'

const SAVED_FIELDS = REPORT_PARAMS.flatMap((param): [ReportParam, ReportParamName, SavedFilterFieldName][] =>
  'saved' in param ? [[param, param.name, param.saved]] : [],
)
const KNOWN_KEYS: ReadonlySet<string> = new Set([...SAVED_FIELDS.map(([, , key]) => key), 'negated'])
const PLAIN_LIST_PARAMS = ['project_id__in', 'ai_deep_search__in'] as const

function groupByRegion(names: readonly string[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {}
  for (const name of names) {
    const region = findProvinceByName(name)?.region ?? 'central'
    groups[region] = [...(groups[region] ?? []), name]
  }
  return groups
}

type FilterValue = {
  values?: readonly string[]
  negated?: boolean
  min?: number | null
  max?: number | null
  from?: string | null
  to?: string | null
}

function storedValue({ groups }: ReportParam, value: true | number | FilterValue): unknown {
  if (typeof value !== 'object') return value
  if (value.values) return groups ? groupByRegion(value.values) : [...value.values]
  return 'min' in value ? [value.min, value.max] : [value.from, value.to]
}

/**
 * Returns the chips of an expression. Falls back to one advanced chip if escaping makes the chips longer than an
 * expression may be.
 */
function expressionItems(name: string, expression: string): SearchChip[] {
  const items = parseSearchChips(name, expression)
  if (items.length === 0 || parseSearchExpression(compileSearchChips(items)).ok) return items
  return [{ key: name, value: expression, negation: false, isIgnoreEncode: true }]
}

export function toFilterCriteria(search: ReportSearch): FilterCriteria {
  const filter: Record<string, unknown> = {}
  const negated: string[] = []
  for (const [param, name, key] of SAVED_FIELDS) {
    const value = search[name] as true | number | FilterValue | undefined
    if (value === undefined || (name === 'ai_deep_from' && !search.ai_deep_search__in)) continue
    filter[key] = storedValue(param, value)
    if (typeof value === 'object' && value.negated) negated.push(key)
  }
  if (negated.length > 0) filter.negated = negated
  const items: SearchChip[] = []
  for (const name of REPORT_EXPRESSION_PARAMS) items.push(...expressionItems(name, search[name] ?? ''))
  for (const name of PLAIN_LIST_PARAMS) {
    const value = search[name]
    if (value) items.push({ key: name, value, negation: false })
  }
  return { filter, search: encodeSavedSearchChips(items) } as FilterCriteria
}

function flatValue(kind: ReportParamKind, value: unknown, negated: boolean): string {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (kind === 'money' || kind === 'dates') {
    const sides = value as readonly (string | number | null)[]
    return sides.every((side) => side === null) ? '' : sides.map((side) => side ?? '').join(',')
  }
  const values = Array.isArray(value) ? value : Object.values(value as Record<string, string[]>).flat()
  return values.length === 0 ? '' : `${negated ? '<<' : ''}${values.join('||')}`
}

/**
 * Converts a saved filter to a search. Decodes percent-encoded values of old items. Lists unreadable parts (a renamed
 * province, an expression that no longer parses, a filter from a newer version) in `ignored`, as when parsing a URL, so
 * that a partial filter is never mistaken for the complete one.
 */
export function parseFilterCriteria({ filter, search: items }: FilterCriteria): ParsedReportSearch {
  const flat: [string, string][] = []
  const ignored: IgnoredReportParam[] = []
  for (const [{ kind }, name, key] of SAVED_FIELDS) {
    const value = filter[key]
    if (value !== undefined && value !== false)
      flat.push([name, flatValue(kind, value, filter.negated?.includes(key) === true)])
  }
  for (const [key, value] of Object.entries(filter)) {
    if (!KNOWN_KEYS.has(key)) ignored.push({ name: key, value: String(value), reason: 'unknown' })
  }
  const groups = Map.groupBy(decodeSavedSearchChips(items), (item) => item.key)
  for (const [key, group] of groups) {
    if (!(PLAIN_LIST_PARAMS as readonly string[]).includes(key)) flat.push([key, compileSearchChips(group)])
    else {
      const value = group.flatMap((item) => item.value).join('||')
      // `PLAIN_LIST_PARAMS` do not support "is not"; treating a negated value as "is" would invert the filter.
      if (group.some((item) => item.negation)) ignored.push({ name: key, value: `||<<${value}`, reason: 'invalid' })
      else flat.push([key, value])
    }
  }
  const parsed = parseReportSearch(Object.fromEntries(flat))
  return { search: parsed.search, ignored: [...parsed.ignored, ...ignored] }
}

/**
 * Formats a value for comparison: the order of a list does not matter, and neither do spaces around the operators of an
 * expression.
 */
function canonicalText<N extends ReportParamName>(name: N, value: NonNullable<ReportSearch[N]>): string {
  const sorted = (values: readonly string[]) => values.toSorted().join('||')
  if (typeof value === 'string') return compileSearchChips(expressionItems(name, value))
  if (Array.isArray(value)) return sorted(value)
  if (findReportParam(name).kind !== 'list') return formatReportParam(name, value)
  const { values, negated } = value as ListFilterValue
  return `${negated ? '<<' : ''}${sorted(values)}`
}

const printFilters = (search: ReportSearch) => {
  const names: readonly ReportParamName[] = [
    ...getActiveReportFilters(search),
    'is_archived',
    ...(search.ai_deep_search__in ? (['ai_deep_from'] as const) : []),
  ]
  return names.map((name) => `${name}=${search[name] === undefined ? '' : canonicalText(name, search[name])}`).join('&')
}

export function hasSameFilters(a: ReportSearch, b: ReportSearch): boolean {
  return printFilters(a) === printFilters(b)
}

/**
 * Returns the report search of a saved filter: replaces filters and search, and preserves order, page size and view.
 * `saved` is the filter's id. Unreadable parts are `ignored`, so that the page reports them as usual.
 */
export function buildSavedFilterSearch(
  filter: Pick<SavedFilter, 'id' | 'filterData'>,
  { ordering, page_size, view: shownAs, market, rank }: ReportSearch = {},
): ParsedReportSearch {
  const { search, ignored } = parseFilterCriteria(filter.filterData)
  const view = {
    ...(ordering && { ordering }),
    ...(page_size && { page_size }),
    ...(shownAs && { view: shownAs }),
    ...(market && { market }),
    ...(rank && { rank }),
  }
  return { search: { ...search, ...view, saved: filter.id }, ignored }
}

export function buildSavedFilterUrlParams(filter: Pick<SavedFilter, 'id' | 'filterData'>): Record<string, string> {
  const { search, ignored } = buildSavedFilterSearch(filter)
  const unread = ignored.map(({ name, value }) => [name, value])
  return { ...formatReportSearch(search), ...Object.fromEntries(unread) }
}
