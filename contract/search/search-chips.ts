import { escapeSearchText, formatSearchNode } from './format-search-node.ts'
import type { SearchNode } from './search-grammar.ts'
import { parseSearchExpression } from './search-grammar.ts'

/**
 * A chip of the search row. An array value is a list of alternatives. `isIgnoreEncode`: the value is an expression and
 * is not escaped; otherwise it is plain text.
 */
export type SearchChip = {
  readonly key: string
  readonly value: string | readonly string[]
  readonly negation: boolean
  readonly isIgnoreEncode?: boolean | undefined
}

type Part = { readonly text: string; readonly kind: SearchNode['kind'] }

/** Drops blank values and trims plain words; an expression may end in `\ ` and is not trimmed. */
function valuesOf({ value, isIgnoreEncode }: SearchChip): string[] {
  const values = typeof value === 'string' ? [value] : value
  return values.filter((text) => text.trim() !== '').map((text) => (isIgnoreEncode ? text : text.trim()))
}

const bracketed = (part: Part, bareKinds: readonly SearchNode['kind'][]) =>
  bareKinds.includes(part.kind) ? part.text : `(${part.text})`

/** Matches an operator sign at the edge of an expression, which would merge with the adjacent operator. */
const OPEN_EDGE = /^[#|<＃｜¦＜]|[#|<＃｜¦＜\\]$/

function toPart(value: string, isExpression: boolean, isOnlyValue: boolean): Part {
  if (!isExpression) return { text: escapeSearchText(value), kind: 'term' }
  const parsed = parseSearchExpression(value)
  if (!parsed.ok) return { text: value, kind: 'term' }
  return { text: !isOnlyValue && OPEN_EDGE.test(value) ? formatSearchNode(parsed.node) : value, kind: parsed.node.kind }
}

function joinValues(item: SearchChip, isOnlyItem: boolean): Part {
  const values = valuesOf(item)
  const parts = values.map((value) => toPart(value, item.isIgnoreEncode === true, isOnlyItem && values.length === 1))
  if (parts.length === 1) return parts[0]!
  return { text: parts.map((part) => bracketed(part, ['term', 'and', 'or'])).join('||'), kind: 'or' }
}

function firstInvalid(items: readonly SearchChip[]): string | undefined {
  const expressions = items.filter((item) => item.isIgnoreEncode).flatMap(valuesOf)
  return expressions.find((expression) => !parseSearchExpression(expression).ok)
}

/**
 * Compiles the items of one key into an expression: all positive items, and none of the negated ones. Skips empty
 * values; no items give ''. If an item contains an invalid expression, returns only that expression, so that parsing
 * reports its error.
 */
export function compileSearchChips(items: readonly SearchChip[]): string {
  const invalid = firstInvalid(items)
  if (invalid !== undefined) return invalid
  const nonEmpty = items.filter((item) => valuesOf(item).length > 0)
  const join = (item: SearchChip) => joinValues(item, nonEmpty.length === 1 && !item.negation)
  const positive = nonEmpty.filter((item) => !item.negation).map(join)
  const negative = nonEmpty.filter((item) => item.negation).map(join)
  const included =
    positive.length === 1 ? positive[0]!.text : positive.map((part) => bracketed(part, ['term', 'and'])).join('##')
  return included + negative.map((part) => `<<${bracketed(part, ['term', 'and', 'or'])}`).join('')
}

function chipValue(node: SearchNode): string | readonly string[] | undefined {
  if (node.kind === 'term') return node.quoted ? undefined : node.text
  if (node.kind !== 'or') return undefined
  const words = node.parts.flatMap((part) => (part.kind === 'term' && !part.quoted ? [part.text] : []))
  return words.length === node.parts.length ? words : undefined
}

type Chip = { readonly node: SearchNode; readonly negation: boolean }

function chipsOf(node: SearchNode | null): Chip[] {
  if (node === null) return []
  if (node.kind === 'not') return [...chipsOf(node.keep), { node: node.drop, negation: true }]
  return (node.kind === 'and' ? node.parts : [node]).map((part) => ({ node: part, negation: false }))
}

/**
 * Parses an expression into chips of `key`. Anything other than the compiled shape (quotes, deeper brackets, an invalid
 * expression) becomes one advanced chip. '' gives no chips.
 */
export function parseSearchChips(key: string, expression: string): SearchChip[] {
  if (expression.trim() === '') return []
  const advanced: SearchChip[] = [{ key, value: expression, negation: false, isIgnoreEncode: true }]
  const parsed = parseSearchExpression(expression)
  if (!parsed.ok) return advanced
  const items: SearchChip[] = []
  for (const { node, negation } of chipsOf(parsed.node)) {
    const value = chipValue(node)
    if (value === undefined) return advanced
    items.push({ key, value, negation })
  }
  return items
}

function decodeOnce(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const eachValue = (items: readonly SearchChip[], change: (value: string) => string): SearchChip[] =>
  items.map((item) => ({
    ...item,
    value: typeof item.value === 'string' ? change(item.value) : item.value.map(change),
  }))

/**
 * Decodes saved items of older versions, whose values are percent-encoded (`%23%23`). Values that do not decode
 * cleanly, such as `ลด 50%`, stay unchanged.
 */
export function decodeSavedSearchChips(items: readonly SearchChip[]): SearchChip[] {
  return eachValue(items, decodeOnce)
}

export function encodeSavedSearchChips(items: readonly SearchChip[]): SearchChip[] {
  return eachValue(items, (value) => (decodeOnce(value) === value ? value : value.replaceAll('%', '%25')))
}
