import type { Sql } from 'sql-template-tag'
import sql, { empty, join } from 'sql-template-tag'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import type { NormalisedSearchTerm } from '#contract/search/search-term.ts'
import { LATIN_OR_DIGIT_REGEX_CLASS, toNormalisedSearchTerm } from '#contract/search/search-term.ts'
import { removeSpacesNextToThai } from '#contract/thai/thai-text.ts'

/** Columns with one text in both forms of `#contract/thai/thai-text.ts`: `toNormalisedSearchText` and `normaliseThai`. */
export type SearchColumns = {
  readonly compact: Sql
  readonly spaced: Sql
  /** True if no trigram index helps and every row is read anyway: `strpos` is then 3 times faster than `LIKE`. */
  readonly scanned?: boolean
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/**
 * Returns the term with its word boundaries as an escaped regular expression. In PostgreSQL a backslash before anything
 * but a letter or digit yields that character, so escaping all ASCII punctuation leaves no operator.
 */
function boundaryPattern({ form, guardStart, guardEnd }: NormalisedSearchTerm): string {
  const literal = form.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  const start = guardStart ? `(^|[^${LATIN_OR_DIGIT_REGEX_CLASS}])` : ''
  const end = guardEnd ? `($|[^${LATIN_OR_DIGIT_REGEX_CLASS}])` : ''
  return start + literal + end
}

function contains(column: Sql, form: string, scanned: boolean | undefined): Sql {
  return scanned ? sql`strpos(${column}, ${form}::text) > 0` : sql`${column} like ${`%${escapeLike(form)}%`}`
}

/**
 * The word boundary rule for a text that contains the term. The regular expression is 20 times slower than finding the
 * term, so it runs only if the first occurrence does not decide: neighbours outside `0`…`ɏ` satisfy the rule.
 */
function fitsWordBoundarySql(term: NormalisedSearchTerm, column: Sql): Sql {
  const at = sql`strpos(${column}, ${term.form}::text)`
  const isBoundary = (position: Sql) => sql`substr(${column}, ${position}, 1) collate "C" not between '0' and 'ɏ'`
  const sides = [
    ...(term.guardStart ? [isBoundary(sql`${at} - 1`)] : []),
    ...(term.guardEnd ? [isBoundary(sql`${at} + ${[...term.form].length}::int`)] : []),
  ]
  return sql`(${join(sides, ' and ')} or ${column} ~ ${boundaryPattern(term)})`
}

function termSql(term: NormalisedSearchTerm, columns: SearchColumns): Sql {
  const { form, quoted, guardStart, guardEnd } = term
  if (form === '') return sql`false`
  const column = quoted ? columns.spaced : columns.compact
  const conditions = [contains(column, form, columns.scanned)]
  // Test the compact column first, because it is cheaper to read and contains the compact form of every matching text.
  if (quoted) conditions.unshift(contains(columns.compact, removeSpacesNextToThai(form), columns.scanned))
  if (guardStart || guardEnd) {
    conditions.push(columns.scanned ? fitsWordBoundarySql(term, column) : sql`${column} ~ ${boundaryPattern(term)}`)
  }
  return conditions.length === 1 ? conditions[0]! : sql`(${join(conditions, ' and ')})`
}

/**
 * Returns a search as a boolean condition, equivalent to `matchesSearch` on the text in the two columns, or to
 * `compileAnyTextSearch` for several texts. A null column counts as an empty text: no word matches it, `<<word` does.
 * (The condition itself may then be null.)
 */
export function searchConditionSql(node: SearchNode, ...texts: readonly SearchColumns[]): Sql {
  if (node.kind === 'term') {
    const conditions = texts.map((columns) => termSql(toNormalisedSearchTerm(node), columns))
    return conditions.length === 1 ? conditions[0]! : sql`(${join(conditions, ' or ')})`
  }
  if (node.kind === 'not') {
    const keep = node.keep ? sql`${searchConditionSql(node.keep, ...texts)} and ` : empty
    return sql`(${keep}${searchConditionSql(node.drop, ...texts)} is not true)`
  }
  const parts = node.parts.map((part) => searchConditionSql(part, ...texts))
  return sql`(${join(parts, node.kind === 'and' ? ' and ' : ' or ')})`
}
