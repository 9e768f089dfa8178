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

export type SearchOperator = '##' | '||' | '<<'
export type SearchToken =
  | { readonly kind: SearchOperator | '(' | ')'; readonly position: number }
  | { readonly kind: 'term'; readonly position: number; readonly text: string; readonly quoted: boolean }

const OPERATOR_OF: Readonly<Record<string, SearchOperator>> = { '#': '##', '|': '||', '<': '<<' }

function runLength(text: string, start: number): number {
  let end = start + 1
  while (text[end] === text[start]) end += 1
  return end - start
}

/** `"…"` from its opening quote; only `\"` and `\\` are escapes inside. Undefined when the closing quote is missing. */
function readQuoted(text: string, start: number): { content: string; end: number } | undefined {
  let content = ''
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at]!
    if (character === '"') return { content, end: at + 1 }
    const escaped = character === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')
    if (escaped) at += 1
    content += text[at]!
  }
  return undefined
}

/** Characters up to the next operator, bracket or quote; `\` makes the next one ordinary. A single `#`, `|`, `<` is ordinary. */
function readWord(text: string, start: number): { content: string; end: number } {
  let content = ''
  let at = start
  while (at < text.length) {
    const character = text[at]!
    if (character === '(' || character === ')' || character === '"') break
    if (character in OPERATOR_OF && text[at + 1] === character) break
    if (character === '\\' && at + 1 < text.length) at += 1
    content += text[at]!
    at += 1
  }
  return { content, end: at }
}

/** Splits an expression into tokens, or says what is wrong with its signs. Blanks around a word are not part of it. */
export function tokenise(text: string): SearchToken[] | SearchError {
  const tokens: SearchToken[] = []
  let at = 0
  while (at < text.length) {
    const character = text[at]!
    const operator = OPERATOR_OF[character]
    if (character === '(' || character === ')') {
      tokens.push({ kind: character, position: at })
      at += 1
    } else if (character === '"') {
      const quoted = readQuoted(text, at)
      if (!quoted) return { code: 'E_QUOTE', position: at }
      tokens.push({ kind: 'term', position: at, text: quoted.content, quoted: true })
      at = quoted.end
    } else if (operator && text[at + 1] === character) {
      if (runLength(text, at) !== 2) return { code: 'E_OPERATOR', position: at }
      tokens.push({ kind: operator, position: at })
      at += 2
    } else {
      const { content, end } = readWord(text, at)
      if (content.trim() !== '') {
        const lead = text.slice(at, end).length - text.slice(at, end).trimStart().length
        tokens.push({ kind: 'term', position: at + lead, text: content.trim(), quoted: false })
      }
      at = end
    }
  }
  return tokens
}
