import sql, { empty, join, type Sql } from 'sql-template-tag'
import { keywordKey } from '#contract/matching/keyword.ts'
import { parseSearchExpression, type SearchNode } from '#contract/search/search-grammar.ts'
import { compileSearch } from '#contract/search/search-match.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { SAMPLE_SOURCE } from '#server/catalogue/feed/sample-source.ts'
import type { MatchScope } from '#server/matching/match-requests.ts'
import { isWholeWord } from '#server/matching/meaning/word-borders.ts'
import { type SearchColumns, searchSql } from '#server/platform/text/search-sql.ts'
import { compileKeywords, type TermKeyword } from '#server/platform/text/word-trie.ts'
import { type Gate, isActive, type OrganisationRules, termsOf } from './rules.ts'

/** The columns of a project that tell whether a change touches it. */
export type ProjectName = {
  readonly project_id: string
  readonly department_id: number
  readonly name_search: string
  readonly name_spaced: string
}
/** Finds the projects that a change touches. */
export type ChangeFinder = {
  readonly finds: (project: ProjectName) => boolean
  /** The same asked of `projects p` in SQL, or more than it; absent where reading all names is quicker. */
  readonly condition?: Sql | undefined
  /** False: `name_spaced` is not looked at and need not be read, which is half of what reading all names costs. */
  readonly readsSpaced: boolean
}
export type ChangeFinders = {
  /** Asked of all projects: those that words, terms or units of the change let in, as the rules are now. Undefined: there are none. */
  readonly arrivals: ChangeFinder | undefined
  /** Asked of the projects that have a row: those that anything of the change touches. */
  readonly touched: ChangeFinder
}
export type ScopeParts = Exclude<MatchScope, { readonly all: true }>
/** Numbers of the departments that carry one of these names (search forms), as a unit or as a whole. */
export type DepartmentsNamed = (forms: ReadonlySet<string>) => ReadonlySet<number>

/** Looking for one word in a million names takes the database 0.3 to 1 s, handing over all names for the trie 5 s however many the words. */
const FEW_PATTERNS = 8
/** `scanned`: there is no trigram index, which would slow down every load. */
const NAME: SearchColumns = { compact: sql`p.name_search`, spaced: sql`p.name_spaced`, scanned: true }

const holds = (term: string): Sql => sql`strpos(p.name_search, ${searchForm(term)}::text) > 0`
const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' or ')})`

type Patterns = { readonly expressions: readonly string[]; readonly terms: readonly TermKeyword<null>[] }

function nodeOf(expression: string): SearchNode | undefined {
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

function finderOf({ expressions, terms }: Patterns, departments: ReadonlySet<number>): ChangeFinder {
  const matcher = compileKeywords(
    expressions.map((expression) => ({ id: null, expression })),
    { keywords: terms, isWholeWord },
  )
  const finds = ({ department_id, name_search, name_spaced }: ProjectName) =>
    departments.has(department_id) || matcher.match(name_search, name_spaced).length > 0
  const nodes = expressions.flatMap((expression) => nodeOf(expression) ?? [])
  const readsSpaced = nodes.some(isQuoted)
  const patterns =
    nodes.reduce((sum, node) => sum + countTerms(node), 0) +
    terms.reduce((sum, { alone, sides }) => sum + alone.length + sides.flat().length, 0)
  if (patterns > FEW_PATTERNS) return { finds, readsSpaced }
  const conditions = nodes.map((node) => searchSql(node, NAME))
  for (const { alone, sides } of terms) {
    conditions.push(...alone.map(({ text }) => holds(text)))
    if (sides.length > 0)
      conditions.push(
        sql`(${join(
          sides.map((side) => anyOf(side.map(({ text }) => holds(text)))),
          ' and ',
        )})`,
      )
  }
  if (departments.size > 0) conditions.push(sql`p.department_id = any (${[...departments]}::int[])`)
  return { finds, readsSpaced, condition: anyOf(conditions) }
}

/**
 * How the projects whose verdict a change may have turned are found. A project can only come in by an entry that includes now, so all
 * projects are searched for those alone; whatever else changed (entries that went, exclusions) turns only projects that have a row
 * already. `everything`: an entry such as `<<word` finds what holds none of its terms, so nothing narrows the search.
 */
export function changeFinders(
  organisation: OrganisationRules,
  scope: ScopeParts,
  departmentsNamed: DepartmentsNamed,
): ChangeFinders | 'everything' {
  const { expressions = [], terms = [], units = [] } = scope
  const keys = new Set(expressions.map(keywordKey))
  const termForms = new Set(terms.map(searchForm))
  const unitForms = new Set(units.map(searchForm))
  const words: string[] = []
  const meanings: TermKeyword<null>[] = []
  const watched = new Set<string>()
  for (const keyword of organisation.keywords) {
    if (!isActive(organisation, keyword)) continue
    const { list, word } = keyword
    if (list === 'include' && keys.has(keywordKey(word))) {
      const node = nodeOf(word)
      if (node && compileSearch(node)('', '')) return 'everything'
      words.push(word)
    } else if (list === 'ai_include') {
      const { alone, sides } = termsOf(list, keyword)
      const isChanged = ({ text }: { readonly text: string }) => termForms.has(searchForm(text))
      const own = { id: null, alone: alone.filter(isChanged), sides: sides.flat().some(isChanged) ? sides : [] }
      if (own.alone.length > 0 || own.sides.length > 0) meanings.push(own)
    } else if (list === 'deptsub_include' && unitForms.has(searchForm(word))) watched.add(searchForm(word))
  }
  const departments = departmentsNamed(watched)
  const plain = terms.map((text) => ({ text, wholeWord: false }))
  return {
    arrivals:
      words.length + meanings.length + departments.size === 0
        ? undefined
        : finderOf({ expressions: words, terms: meanings }, departments),
    touched: finderOf({ expressions, terms: [{ id: null, alone: plain, sides: [] }] }, departmentsNamed(unitForms)),
  }
}

/** The part of D8 that is not about words, of `projects p`; without the window, which `insideWindow` asks. */
export function passesGate({ minSatang, maxSatang, provinces, isSampleOnly }: Gate): Sql {
  const most = Number.isFinite(maxSatang) ? sql` and p.budget_satang <= ${maxSatang}::bigint` : empty
  const source = isSampleOnly ? sql`p.source = ${SAMPLE_SOURCE} and ` : empty
  const budget = sql`${source}(p.budget_satang is null or (p.budget_satang >= ${minSatang}::bigint${most}))`
  if (!provinces) return budget
  // Not joined: departments would be hashed for every slice of projects.
  const province = sql`coalesce(p.project_province, (select d.province from departments d where d.id = p.department_id))`
  return sql`${budget} and ${province} = any (${[...provinces]}::smallint[])`
}

/** Whether the report window lets `projects p` in. */
export function insideWindow({ from, to }: Gate): Sql {
  if (from === undefined && to === undefined) return sql`true`
  const sides = [
    ...(from === undefined ? [] : [sql`p.movement_on >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`p.movement_on <= ${to}::date`]),
  ]
  return sql`coalesce(${join(sides, ' and ')}, false)`
}
