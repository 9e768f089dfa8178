import { parseSearchExpression, SEARCH_LIMITS } from './search-grammar.ts'

/** Signs of other search boxes that were found in the text, as typed. */
export type ForeignSign = 'AND' | 'OR' | 'NOT' | '|' | '-' | '&&' | 'และ' | 'หรือ' | 'ยกเว้น' | '&lt;' | '«'
export type SearchOffer = { readonly expression: string; readonly found: readonly ForeignSign[] }

/** Quoted text, an escaped character, our own signs and brackets, a single `|`, a blank, or a run of anything else. */
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

/** Operators as mail, addresses and typewriters of French hand them on. */
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
/** French autocorrection writes « for <<; with its closing partner it is a quote. */
const LONE_GUILLEMET = /«(?![^»]*»)/

const isBlank = (part: string | undefined) => part === undefined || part.trim() === ''
const isSign = (part: string | undefined) => part === '##' || part === '||' || part === '<<'

/** Joins parts without the blanks beside signs; `AND NOT` leaves `##` before `<<`, which is only `<<`. */
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
 * Offers the expression that a text in the manner of other search boxes means: `กล้อง OR CCTV -ซ่อม` gives
 * `กล้อง||CCTV<<ซ่อม`. Capital AND, OR, NOT, their Thai words standing apart, `&&`, a single `|` and `-word` count, outside quotes and not escaped; also
 * operators that mail wrote as entities.
 * Null when there is nothing to convert or the result would not parse. The text is never changed unasked.
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
      // Inside brackets the exclusion must stay; otherwise it goes behind everything that it was typed among.
      if (hasBrackets) out.push('<<', part.slice(1))
      else drops.push('<<', part.slice(1))
    } else out.push(part)
  })
  if (found.size === 0) return null
  const expression = joinParts([...out, ...drops])
  return parseSearchExpression(expression).ok ? { expression, found: [...found] } : null
}

/** Project numbers out of a pasted text: lines, commas, semicolons, tabs or blanks between them; each once. */
export function splitPastedIds(text: string): string[] {
  return [...new Set(text.split(/[\s,;|]+/).filter((id) => id !== ''))]
}
