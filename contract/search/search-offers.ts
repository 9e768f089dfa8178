import { parseSearchExpression, SEARCH_LIMITS } from './search-grammar.ts'

export type ForeignSign = 'AND' | 'OR' | 'NOT' | '|' | '-' | '&&' | 'และ' | 'หรือ' | 'ยกเว้น' | '&lt;' | '«'
export type SearchOffer = { readonly expression: string; readonly found: readonly ForeignSign[] }

/** Quoted text, an escaped character, our operators and brackets, a single `|`, spaces, or a run of anything else. */
const PART = /"(?:[^"\\]|\\.)*"?|\\.?|##+|\|\|+|<<+|[()|]|\s+|(?:[^\s"\\()|#<]|#(?!#)|<(?!<))+/gs

const SIGN_OF: ReadonlyMap<string, { found: ForeignSign; sign: string }> = new Map([
  ['AND', { found: 'AND', sign: '##' }],
  ['OR', { found: 'OR', sign: '||' }],
  ['NOT', { found: 'NOT', sign: '<<' }],
  ['|', { found: '|', sign: '||' }],
  ['&&', { found: '&&', sign: '##' }],
  ['และ', { found: 'และ', sign: '##' }],
  ['หรือ', { found: 'หรือ', sign: '||' }],
  ['ยกเว้น', { found: 'ยกเว้น', sign: '<<' }],
  ['แต่ไม่มี', { found: 'ยกเว้น', sign: '<<' }],
  ['แต่ไม่เอา', { found: 'ยกเว้น', sign: '<<' }],
])

const ENTITIES = /&(lt|#60|#35|#124|quot);|%(23|7C|3C|22)/gi
const SIGN_OF_ENTITY: Readonly<Record<string, string>> = {
  lt: '<',
  '#60': '<',
  '#35': '#',
  '#124': '|',
  quot: '"',
  '23': '#',
  '7c': '|',
  '3c': '<',
  '22': '"',
}
const decoded = (text: string) =>
  text.replace(ENTITIES, (_, name?: string, code?: string) => SIGN_OF_ENTITY[(name ?? code ?? '').toLowerCase()]!)
/** French autocorrection replaces << with «; with its closing partner it is a quote. */
const LONE_GUILLEMET = /«(?![^»]*»)/

const isBlank = (part: string | undefined) => part === undefined || part.trim() === ''
const isSign = (part: string | undefined) => part === '##' || part === '||' || part === '<<'

/** Joins parts without the spaces next to operators; `AND NOT` gives `##` before `<<`, which is reduced to `<<`. */
function joinParts(parts: readonly string[]): string {
  const isKept = (part: string, index: number) =>
    !(isBlank(part) && (isBlank(parts[index - 1]) || isSign(parts[index - 1]) || isSign(parts[index + 1])))
  const kept = parts.filter(isKept)
  return kept
    .filter((part, index) => !(part === '##' && kept[index + 1] === '<<'))
    .join('')
    .trim()
}

/**
 * Suggests our expression for text with operators of other search engines: `กล้อง OR CCTV -ซ่อม` gives
 * `กล้อง||CCTV<<ซ่อม`. Recognises capitalised AND, OR, NOT, their Thai words when separate, `&&`, a single `|` and
 * `-word`, outside quotes and unescaped, and encoded operators. Null when there is nothing to convert or the result is
 * invalid. The text never changes without the user's consent.
 */
export function offerConversion(text: string): SearchOffer | null {
  if (text.length > SEARCH_LIMITS.characters) return null
  const found = new Set<ForeignSign>()
  const plain = decoded(text)
  if (plain !== text) found.add('&lt;')
  const own = plain.replace(LONE_GUILLEMET, '<<')
  if (own !== plain) found.add('«')
  const parts: string[] = own.match(PART) ?? []
  const hasBrackets = parts.includes('(')
  const out: string[] = []
  const drops: string[] = []
  parts.forEach((part, index) => {
    const before = parts[index - 1]
    const after = parts[index + 1]
    const stands = (isBlank(before) || before === '(') && (isBlank(after) || after === '(')
    const known = SIGN_OF.get(part)
    if (known && (part === '|' || stands)) {
      found.add(known.found)
      out.push(known.sign)
    } else if (part.length > 1 && part.startsWith('-') && (isBlank(before) || before === '(')) {
      found.add('-')
      // Inside brackets the exclusion must stay in place; otherwise it moves to the end.
      if (hasBrackets) out.push('<<', part.slice(1))
      else drops.push('<<', part.slice(1))
    } else out.push(part)
  })
  if (found.size === 0) return null
  const expression = joinParts([...out, ...drops])
  return parseSearchExpression(expression).ok ? { expression, found: [...found] } : null
}

/** Splits at lines, commas, semicolons, tabs or spaces; removes duplicates. */
export function splitPastedIds(text: string): string[] {
  return [...new Set(text.split(/[\s,;|]+/).filter((id) => id !== ''))]
}
