import sql, { empty, join, type Sql } from 'sql-template-tag'
import { isActiveKeyword } from '#contract/matching/active-keyword.ts'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import { parseSearchExpression, type SearchNode } from '#contract/search/search-grammar.ts'
import { compileSearchPredicate } from '#contract/search/search-match.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { RematchScope } from '#server/matching/match-requests.ts'
import { isWholeWord } from '#server/matching/meaning/word-borders.ts'
import { compileKeywordMatcher, type MultiTermKeyword } from '#server/platform/text/keyword-matcher.ts'
import { type SearchColumns, searchConditionSql } from '#server/platform/text/search-sql.ts'
import { getMatchingTerms, type MatchLimits, type OrganisationMatchRules } from './compile-match-rules.ts'

export type SearchableProjectName = {
  readonly project_id: string
  readonly department_id: number
  readonly name_search: string
  readonly name_spaced: string
}
export type ProjectNameMatcher = {
  readonly matches: (project: SearchableProjectName) => boolean
  /**
   * SQL condition on `projects p` that tests the same as `matches` or is broader; undefined if scanning all names is
   * faster.
   */
  readonly condition?: Sql | undefined
  /** False if `name_spaced` is unused and need not be loaded, which halves the cost of reading all names. */
  readonly readsSpaced: boolean
}
export type RuleChangeMatchers = {
  readonly arrivals: ProjectNameMatcher | undefined
  readonly touched: ProjectNameMatcher
}
export type PartialRematchScope = Exclude<RematchScope, { readonly all: true }>
export type DepartmentIdFinder = (forms: ReadonlySet<string>) => ReadonlySet<number>

/**
 * Maximum number of patterns to search by SQL. With more, all names are transferred to the trie, which takes 5 s for
 * any number of words; in the database, scanning a million names for one word takes 0.3 to
 * 1 s.
 */
const MAX_SQL_PATTERNS = 8
/** `scanned`: SQL scans the names, because they have no trigram index, which would slow down every load. */
const NAME_COLUMNS: SearchColumns = { compact: sql`p.name_search`, spaced: sql`p.name_spaced`, scanned: true }

const containsSql = (term: string): Sql => sql`strpos(p.name_search, ${toNormalisedSearchText(term)}::text) > 0`
const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' or ')})`

type Patterns = { readonly expressions: readonly string[]; readonly terms: readonly MultiTermKeyword<null>[] }

function parseNode(expression: string): SearchNode | undefined {
  const parsed = parseSearchExpression(expression)
  return parsed.ok ? parsed.node : undefined
}

function countTerms(node: SearchNode | null): number {
  if (node === null) return 0
  if (node.kind === 'term') return 1
  if (node.kind === 'not') return countTerms(node.keep) + countTerms(node.drop)
  return node.parts.reduce((sum, part) => sum + countTerms(part), 0)
}

const isQuoted = (node: SearchNode | null): boolean => {
  if (node === null) return false
  if (node.kind === 'term') return node.quoted
  return node.kind === 'not' ? isQuoted(node.keep) || isQuoted(node.drop) : node.parts.some(isQuoted)
}

function buildFinder({ expressions, terms }: Patterns, departments: ReadonlySet<number>): ProjectNameMatcher {
  const matcher = compileKeywordMatcher(
    expressions.map((expression) => ({ id: null, expression })),
    { keywords: terms, isWholeWord },
  )
  const matches = ({ department_id, name_search, name_spaced }: SearchableProjectName) =>
    departments.has(department_id) || matcher.match(name_search, name_spaced).length > 0
  const nodes = expressions.flatMap((expression) => parseNode(expression) ?? [])
  const readsSpaced = nodes.some(isQuoted)
  const patterns =
    nodes.reduce((sum, node) => sum + countTerms(node), 0) +
    terms.reduce((sum, { standalone, sides }) => sum + standalone.length + sides.flat().length, 0)
  if (patterns > MAX_SQL_PATTERNS) return { matches, readsSpaced }
  const conditions = nodes.map((node) => searchConditionSql(node, NAME_COLUMNS))
  for (const { standalone, sides } of terms) {
    conditions.push(...standalone.map(({ text }) => containsSql(text)))
    if (sides.length > 0)
      conditions.push(
        sql`(${join(
          sides.map((side) => anyOf(side.map(({ text }) => containsSql(text)))),
          ' and ',
        )})`,
      )
  }
  if (departments.size > 0) conditions.push(sql`p.department_id = any (${[...departments]}::int[])`)
  return { matches, readsSpaced, condition: anyOf(conditions) }
}

/**
 * Builds the search for projects whose verdict a change may affect. New projects can enter only through an entry that
 * now includes more, so only such entries search all projects. Every other change (removed entries, exclusions) affects
 * only projects with an existing row. `everything`: an entry such as `<<word` can match names without any of its terms,
 * so nothing narrows the search.
 */
export function createRuleChangeMatchers(
  organisation: OrganisationMatchRules,
  scope: PartialRematchScope,
  departmentsNamed: DepartmentIdFinder,
): RuleChangeMatchers | 'everything' {
  const { expressions = [], terms = [], units = [] } = scope
  const keys = new Set(expressions.map(toKeywordKey))
  const termForms = new Set(terms.map(toNormalisedSearchText))
  const unitForms = new Set(units.map(toNormalisedSearchText))
  const words: string[] = []
  const meanings: MultiTermKeyword<null>[] = []
  const watched = new Set<string>()
  for (const keyword of organisation.keywords) {
    if (!isActiveKeyword(organisation, keyword)) continue
    const { list, word } = keyword
    if (list === 'include' && keys.has(toKeywordKey(word))) {
      const node = parseNode(word)
      if (node && compileSearchPredicate(node)('', '')) return 'everything'
      words.push(word)
    } else if (list === 'ai_include') {
      const { standalone, sides } = getMatchingTerms(list, keyword)
      const isChanged = ({ text }: { readonly text: string }) => termForms.has(toNormalisedSearchText(text))
      const changedTerms = {
        id: null,
        standalone: standalone.filter(isChanged),
        sides: sides.flat().some(isChanged) ? sides : [],
      }
      if (changedTerms.standalone.length > 0 || changedTerms.sides.length > 0) meanings.push(changedTerms)
    } else if (list === 'deptsub_include' && unitForms.has(toNormalisedSearchText(word)))
      watched.add(toNormalisedSearchText(word))
  }
  const departments = departmentsNamed(watched)
  const plainTerms = terms.map((text) => ({ text, wholeWord: false }))
  return {
    arrivals:
      words.length + meanings.length + departments.size === 0
        ? undefined
        : buildFinder({ expressions: words, terms: meanings }, departments),
    touched: buildFinder(
      { expressions, terms: [{ id: null, standalone: plainTerms, sides: [] }] },
      departmentsNamed(unitForms),
    ),
  }
}

/**
 * SQL condition on `projects p` for the part of D8 that does not concern words, excluding the time window (see
 * `reportWindowSql`).
 */
export function matchLimitsSql({ minSatang, maxSatang, provinces }: MatchLimits): Sql {
  const maxBudget = Number.isFinite(maxSatang) ? sql` and p.budget_satang <= ${maxSatang}::bigint` : empty
  const budget = sql`(p.budget_satang is null or (p.budget_satang >= ${minSatang}::bigint${maxBudget}))`
  if (!provinces) return budget
  // Use a subquery, because a join would hash all departments for every slice of projects.
  const province = sql`coalesce(p.project_province, (select d.province from departments d where d.id = p.department_id))`
  return sql`${budget} and ${province} = any (${[...provinces]}::smallint[])`
}

export function reportWindowSql({ from, to }: MatchLimits): Sql {
  if (from === undefined && to === undefined) return sql`true`
  const sides = [
    ...(from === undefined ? [] : [sql`p.movement_on >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`p.movement_on <= ${to}::date`]),
  ]
  return sql`coalesce(${join(sides, ' and ')}, false)`
}
