import { CURLY_QUOTES, SEARCH_CHARACTER_VARIANTS, SINGLE_CHARACTER_SEARCH_OPERATORS } from './search-characters.ts'

export type SearchErrorCode =
  | 'E_BRACKET'
  | 'E_OPERAND'
  | 'E_OPERATOR'
  | 'E_QUOTE'
  | 'E_SHORT'
  | 'E_DEPTH'
  | 'E_EMPTY'
  | 'E_LENGTH'
  | 'E_TERMS'
  | 'E_TERMS_EVERYWHERE'
  | 'E_SHORT_DOCUMENT'
  | 'E_TERMS_DOCUMENT'
export type SearchError = { readonly code: SearchErrorCode; readonly position: number }

type SearchOperator = '##' | '||' | '<<'
export type SearchToken =
  | { readonly kind: SearchOperator | '(' | ')'; readonly position: number }
  | { readonly kind: 'term'; readonly position: number; readonly text: string; readonly quoted: boolean }

const OPERATOR_OF: Readonly<Record<string, SearchOperator>> = { '#': '##', '|': '||', '<': '<<' }

const GAP = /[\s\p{Cf}]/u
const twinOf = (character: string | undefined) => SEARCH_CHARACTER_VARIANTS.get(character ?? '') ?? character

function runLength(text: string, start: number): number {
  let end = start + 1
  while (twinOf(text[end]) === twinOf(text[start])) end += 1
  return end - start
}

function skipGap(text: string, start: number): number {
  let at = start
  while (at < text.length && GAP.test(text[at]!)) at += 1
  return at
}

/**
 * Returns the operator at `start`: two signs, two that autocorrection separated (`| |`), or a single combined
 * character. `count` is 2 for a valid operator.
 */
function operatorAt(text: string, start: number): { kind: SearchOperator; count: number; end: number } | undefined {
  const operator = SINGLE_CHARACTER_SEARCH_OPERATORS.get(text[start] ?? '')
  if (operator) return { kind: operator, count: 2, end: start + 1 }
  const kind = OPERATOR_OF[twinOf(text[start]) ?? '']
  if (!kind) return undefined
  const count = runLength(text, start)
  if (count > 1) return { kind, count, end: start + count }
  const next = skipGap(text, start + 1)
  // In `C# ## PHP` the first `#` ends a word, so it does not form an operator with the following `##`.
  const isSpacedOperator = twinOf(text[next]) === twinOf(text[start]) && runLength(text, next) === 1
  return isSpacedOperator ? { kind, count: 2, end: next + 1 } : undefined
}

/** Reads `"…"` from its opening quote; only `\"` and `\\` are escapes inside. Undefined without a closing quote. */
function readQuoted(text: string, start: number): { content: string; end: number } | undefined {
  let content = ''
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at]!
    if (twinOf(character) === '"') return { content, end: at + 1 }
    const escaped = character === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')
    if (escaped) at += 1
    content += text[at]!
  }
  return readCurly(text, start)
}

function isTermEnd(text: string, end: number): boolean {
  const at = skipGap(text, end)
  return at === text.length || twinOf(text[at]) === ')' || operatorAt(text, at) !== undefined
}

/**
 * Reads `“…”` up to the first closing quote where a term may end. Undefined without one: titles contain such quotes
 * (จัดงาน “ก้าวใหม่” ครั้งที่ 2), where they are letters.
 */
function readCurly(text: string, start: number): { content: string; end: number } | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (isQuote(text[at]) && isTermEnd(text, at + 1))
      return { content: text.slice(start + 1, at).replace(/\\(?=["\\])/g, ''), end: at + 1 }
  }
  return undefined
}

const isQuote = (character: string | undefined) =>
  character !== undefined && (twinOf(character) === '"' || CURLY_QUOTES.includes(character))

/**
 * Reads a word up to the next operator, bracket or quote. `\` escapes the next character; a single `#`, `|` or `<` is
 * part of the word.
 */
function readWord(text: string, start: number): { content: string; end: number } {
  let content = ''
  let at = start
  while (at < text.length) {
    const character = text[at]!
    const twin = twinOf(character)
    if (twin === '(' || twin === ')' || twin === '"') break
    if (operatorAt(text, at)) break
    if (character === '\\' && at + 1 < text.length) at += 1
    content += text[at]!
    at += 1
  }
  return { content, end: at }
}

/**
 * Splits an expression into tokens, or returns the first invalid operator or quote. Surrounding spaces are not part of
 * a word.
 */
export function tokeniseSearch(text: string): SearchToken[] | SearchError {
  const tokens: SearchToken[] = []
  for (let at = skipGap(text, 0); at < text.length; at = skipGap(text, at)) {
    const character = twinOf(text[at])!
    const operator = operatorAt(text, at)
    const curly = CURLY_QUOTES.includes(character) ? readCurly(text, at) : undefined
    if (character === '(' || character === ')') {
      tokens.push({ kind: character, position: at })
      at += 1
    } else if (character === '"' || curly) {
      const quoted = curly ?? readQuoted(text, at)
      if (!quoted) return { code: 'E_QUOTE', position: at }
      tokens.push({ kind: 'term', position: at, text: quoted.content, quoted: true })
      at = quoted.end
    } else if (operator) {
      if (operator.count !== 2) return { code: 'E_OPERATOR', position: at }
      tokens.push({ kind: operator.kind, position: at })
      at = operator.end
    } else {
      const { content, end } = readWord(text, at)
      if (content.trim() !== '') tokens.push({ kind: 'term', position: at, text: content.trim(), quoted: false })
      at = end
    }
  }
  return tokens
}
