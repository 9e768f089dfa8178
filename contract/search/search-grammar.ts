import { type SearchTerm, toNormalisedSearchTerm } from './search-term.ts'
import type { SearchError, SearchErrorCode, SearchToken } from './search-tokens.ts'
import { tokeniseSearch } from './search-tokens.ts'

export type { SearchTerm } from './search-term.ts'
export type { SearchError, SearchErrorCode } from './search-tokens.ts'

/**
 * Parsed search expression. `##` binds before `||`, `||` before `<<`; brackets override. `not` with `keep: null` is
 * "everything except `drop`". `and`/`or` have at least two parts.
 */
export type SearchNode =
  | SearchTerm
  | { readonly kind: 'and' | 'or'; readonly parts: readonly SearchNode[] }
  | { readonly kind: 'not'; readonly keep: SearchNode | null; readonly drop: SearchNode }

/**
 * `mixed`: the expression combines `##` and `||` without brackets, so the user may have intended a different grouping.
 */
export type ParsedSearch =
  | { readonly ok: true; readonly node: SearchNode; readonly mixed: boolean }
  | { readonly ok: false; readonly error: SearchError }

/**
 * Limits of a search expression. `termsEverywhere` applies when each term is searched in four texts: 12 terms in four
 * texts cost as much as 30 terms in two.
 */
export const SEARCH_LIMITS = { characters: 500, terms: 30, termsEverywhere: 12, depth: 5, termLength: 2 } as const

class SearchSyntaxError extends Error {
  override readonly name = 'SearchSyntax'
  readonly code: SearchErrorCode
  readonly position: number
  constructor(code: SearchErrorCode, position: number) {
    super(code)
    this.code = code
    this.position = position
  }
}

class Parser {
  mixed = false
  #next = 0
  #terms = 0
  readonly #tokens: readonly SearchToken[]
  readonly #end: number
  readonly #isEverywhere: boolean

  constructor(tokens: readonly SearchToken[], end: number, isEverywhere: boolean) {
    this.#tokens = tokens
    this.#end = end
    this.#isEverywhere = isEverywhere
  }

  parse(): SearchNode {
    const node = this.#query(0)
    const leftover = this.#tokens[this.#next]
    if (leftover) throw new SearchSyntaxError(leftover.kind === ')' ? 'E_BRACKET' : 'E_OPERATOR', leftover.position)
    return node
  }

  #query(depth: number): SearchNode {
    let node = this.#peek() === '<<' ? null : this.#or(depth)
    while (this.#take('<<')) node = { kind: 'not', keep: node, drop: this.#or(depth) }
    return node!
  }

  #or(depth: number): SearchNode {
    const parts: SearchNode[] = []
    let chained = false
    do {
      const { node, bare } = this.#and(depth)
      parts.push(node)
      chained ||= bare
    } while (this.#take('||'))
    if (parts.length === 1) return parts[0]!
    this.mixed ||= chained
    return { kind: 'or', parts }
  }

  #and(depth: number): { node: SearchNode; bare: boolean } {
    const parts: SearchNode[] = []
    do parts.push(this.#factor(depth))
    while (this.#take('##'))
    return parts.length === 1 ? { node: parts[0]!, bare: false } : { node: { kind: 'and', parts }, bare: true }
  }

  #factor(depth: number): SearchNode {
    const token = this.#tokens[this.#next]
    if (token?.kind === 'term') return this.#term(token)
    if (token?.kind === '(') return this.#brackets(token.position, depth + 1)
    const before = this.#tokens[this.#next - 1]
    if (token?.kind === ')' && (!before || before.kind === '('))
      throw new SearchSyntaxError('E_BRACKET', token.position)
    throw new SearchSyntaxError('E_OPERAND', token?.position ?? this.#end)
  }

  #term(token: Extract<SearchToken, { kind: 'term' }>): SearchNode {
    this.#next += 1
    this.#terms += 1
    if (this.#terms > SEARCH_LIMITS.terms) throw new SearchSyntaxError('E_TERMS', token.position)
    if (this.#isEverywhere && this.#terms > SEARCH_LIMITS.termsEverywhere)
      throw new SearchSyntaxError('E_TERMS_EVERYWHERE', token.position)
    const { text, quoted } = token
    const { form } = toNormalisedSearchTerm({ text, quoted })
    if ([...form].length < SEARCH_LIMITS.termLength) throw new SearchSyntaxError('E_SHORT', token.position)
    return { kind: 'term', text, quoted }
  }

  #brackets(position: number, depth: number): SearchNode {
    if (depth > SEARCH_LIMITS.depth) throw new SearchSyntaxError('E_DEPTH', position)
    this.#next += 1
    if (this.#next === this.#tokens.length) throw new SearchSyntaxError('E_BRACKET', position)
    const node = this.#query(depth)
    if (this.#take(')')) return node
    const leftover = this.#tokens[this.#next]
    throw leftover
      ? new SearchSyntaxError('E_OPERATOR', leftover.position)
      : new SearchSyntaxError('E_BRACKET', position)
  }

  #peek(): SearchToken['kind'] | undefined {
    return this.#tokens[this.#next]?.kind
  }

  #take(kind: SearchToken['kind']): boolean {
    if (this.#peek() !== kind) return false
    this.#next += 1
    return true
  }
}

const refuse = (code: SearchErrorCode, position: number): ParsedSearch => ({ ok: false, error: { code, position } })

/**
 * Parses a search expression (product 6.1). Never throws. Positions count UTF-16 units from 0. Text over the length
 * limit is rejected before parsing, so the time is bounded. `isEverywhere`: searches every text of a project and allows
 * fewer terms.
 */
export function parseSearchExpression(text: string, isEverywhere = false): ParsedSearch {
  if (text.length > SEARCH_LIMITS.characters) return refuse('E_LENGTH', SEARCH_LIMITS.characters)
  const tokens = tokeniseSearch(text)
  if (!Array.isArray(tokens)) return { ok: false, error: tokens }
  if (tokens.length === 0) return refuse('E_EMPTY', 0)
  try {
    const parser = new Parser(tokens, text.length, isEverywhere)
    const node = parser.parse()
    return { ok: true, node, mixed: parser.mixed }
  } catch (error) {
    if (error instanceof SearchSyntaxError) return refuse(error.code, error.position)
    throw error
  }
}

export function parseSearchExpressionOrThrow(expression: string): SearchNode {
  const parsed = parseSearchExpression(expression)
  if (!parsed.ok) throw new Error(`Not a search expression: ${parsed.error.code} at ${parsed.error.position}`)
  return parsed.node
}
