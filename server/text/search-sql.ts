import type { Sql } from 'sql-template-tag'
import sql, { empty, join } from 'sql-template-tag'
import type { SearchNode } from '#contract/search-grammar.ts'
import type { TermForm } from '#contract/search-term.ts'
import { LATIN_OR_DIGIT_CLASS, termForm } from '#contract/search-term.ts'

/** Columns holding one text in both forms of `#contract/thai-text.ts`: `searchForm` and `normaliseThai`. */
export type SearchColumns = {
  readonly compact: Sql
  readonly spaced: Sql
  /** True where no trigram index helps and every row is read anyway: `strpos` is then 3 times faster than `LIKE`. */
  readonly scanned?: boolean
}

/** A text as a `LIKE` pattern that means only itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/**
 * The term as a regular expression that means only itself, with its guarded ends. In PostgreSQL a backslash before
 * anything but a letter or digit is that character, so escaping every ASCII sign leaves no operator.
 */
function boundaryPattern({ form, guardStart, guardEnd }: TermForm): string {
  const literal = form.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  const start = guardStart ? `(^|[^${LATIN_OR_DIGIT_CLASS}])` : ''
  const end = guardEnd ? `($|[^${LATIN_OR_DIGIT_CLASS}])` : ''
  return start + literal + end
}

function termSql(term: TermForm, columns: SearchColumns): Sql {
  const column = term.quoted ? columns.spaced : columns.compact
  if (term.form === '') return sql`false`
  const like = columns.scanned
    ? sql`strpos(${column}, ${term.form}::text) > 0`
    : sql`${column} like ${`%${escapeLike(term.form)}%`}`
  if (!term.guardStart && !term.guardEnd) return like
  // LIKE first: it is 20 times faster and may use the trigram index; the expression sees only its hits.
  return sql`(${like} and ${column} ~ ${boundaryPattern(term)})`
}

/**
 * A search as a boolean condition. It answers what `matchesSearch` answers for the text in the two columns. A null
 * column reads like an empty text: no word finds it, `<<word` keeps it. (The condition itself may then be null.)
 */
export function searchSql(node: SearchNode, columns: SearchColumns): Sql {
  if (node.kind === 'term') return termSql(termForm(node), columns)
  if (node.kind === 'not') {
    const keep = node.keep ? sql`${searchSql(node.keep, columns)} and ` : empty
    return sql`(${keep}${searchSql(node.drop, columns)} is not true)`
  }
  const parts = node.parts.map((part) => searchSql(part, columns))
  return sql`(${join(parts, node.kind === 'and' ? ' and ' : ' or ')})`
}
