import type { SearchNode } from './search-grammar.ts'
import { parseSearchExpression } from './search-grammar.ts'
import { escapeSearchText, printSearchNode } from './search-print.ts'

/**
 * One chip of the search row. A list is alternatives. `isIgnoreEncode`: the value is an expression in the grammar and
 * is not escaped; otherwise it is plain text.
 */
export type SearchItem = {
  readonly key: string
  readonly value: string | readonly string[]
  readonly negation: boolean
  readonly isIgnoreEncode?: boolean | undefined
}

type Part = { readonly text: string; readonly kind: SearchNode['kind'] }

/** Blank values are none. Plain words lose the blanks around them; an expression may end in `\ ` and stays as it is. */
function valuesOf({ value, isIgnoreEncode }: SearchItem): string[] {
  const values = typeof value === 'string' ? [value] : value
  return values.filter((one) => one.trim() !== '').map((one) => (isIgnoreEncode ? one : one.trim()))
}

const bracketed = (part: Part, open: readonly SearchNode['kind'][]) =>
  open.includes(part.kind) ? part.text : `(${part.text})`

/** A sign at the edge of an expression would melt into the operator beside it. */
const OPEN_EDGE = /^[#|<＃｜¦＜]|[#|<＃｜¦＜\\]$/

function partOf(value: string, isExpression: boolean, isAlone: boolean): Part {
  if (!isExpression) return { text: escapeSearchText(value), kind: 'term' }
  const parsed = parseSearchExpression(value)
  if (!parsed.ok) return { text: value, kind: 'term' }
  return { text: !isAlone && OPEN_EDGE.test(value) ? printSearchNode(parsed.node) : value, kind: parsed.node.kind }
}

function joinValues(item: SearchItem, isAlone: boolean): Part {
  const values = valuesOf(item)
  const parts = values.map((value) => partOf(value, item.isIgnoreEncode === true, isAlone && values.length === 1))
  if (parts.length === 1) return parts[0]!
  return { text: parts.map((part) => bracketed(part, ['term', 'and', 'or'])).join('||'), kind: 'or' }
}

function firstInvalid(items: readonly SearchItem[]): string | undefined {
  const expressions = items.filter((item) => item.isIgnoreEncode).flatMap(valuesOf)
  return expressions.find((expression) => !parseSearchExpression(expression).ok)
}

/**
 * The expression that means: all positive items, and none of the negated ones. The items are those of one key.
 * Empty values are left out; no items give ''. When an item holds an expression that does not parse, that expression
 * alone is returned, so that parsing the result names its error instead of joining it into something else.
 */
export function compileSearchItems(items: readonly SearchItem[]): string {
  const invalid = firstInvalid(items)
  if (invalid !== undefined) return invalid
  const filled = items.filter((item) => valuesOf(item).length > 0)
  const join = (item: SearchItem) => joinValues(item, filled.length === 1 && !item.negation)
  const positive = filled.filter((item) => !item.negation).map(join)
  const negative = filled.filter((item) => item.negation).map(join)
  const wanted =
    positive.length === 1 ? positive[0]!.text : positive.map((part) => bracketed(part, ['term', 'and'])).join('##')
  return wanted + negative.map((part) => `<<${bracketed(part, ['term', 'and', 'or'])}`).join('')
}

/** The plain words of a chip (one word, or alternatives), or undefined when the node is more than that. */
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
 * Reads an expression back into chips of `key`: those of the compiled shape one by one, anything else (quotes, deeper
 * brackets, an expression that does not parse) as one advanced chip. '' gives no chips.
 */
export function readSearchItems(key: string, expression: string): SearchItem[] {
  if (expression.trim() === '') return []
  const advanced: SearchItem[] = [{ key, value: expression, negation: false, isIgnoreEncode: true }]
  const parsed = parseSearchExpression(expression)
  if (!parsed.ok) return advanced
  const items: SearchItem[] = []
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

const eachValue = (items: readonly SearchItem[], change: (value: string) => string): SearchItem[] =>
  items.map((item) => ({
    ...item,
    value: typeof item.value === 'string' ? change(item.value) : item.value.map(change),
  }))

/** Saved items of older versions hold percent-encoded values (`%23%23`): decodes each value once where it decodes cleanly, and leaves `ลด 50%` alone. */
export function decodeSavedItems(items: readonly SearchItem[]): SearchItem[] {
  return eachValue(items, decodeOnce)
}

/** The other way round, for saving: `decodeSavedItems` gives the items back. Only a value that decoding would change is encoded. */
export function encodeSavedItems(items: readonly SearchItem[]): SearchItem[] {
  return eachValue(items, (value) => (decodeOnce(value) === value ? value : value.replaceAll('%', '%25')))
}
