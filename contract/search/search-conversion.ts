import { removeInvisibleCharacters, toArabicDigits } from '../thai/thai-letters.ts'
import { parseSearchExpression, SEARCH_LIMITS } from './search-grammar.ts'

type ForeignSearchOperator = 'AND' | 'OR' | 'NOT' | '|' | '-' | '&&' | 'และ' | 'หรือ' | 'ยกเว้น' | '&lt;' | '«'
type SearchConversion = { readonly expression: string; readonly found: readonly ForeignSearchOperator[] }

/**
 * Matches one part of the input: quoted text, an escaped character, our operators and brackets, a single `|`, spaces,
 * or a run of anything else.
 */
const PART = /"(?:[^"\\]|\\.)*"?|\\.?|##+|\|\|+|<<+|[()|]|\s+|(?:[^\s"\\()|#<]|#(?!#)|<(?!<))+/gs

const OPERATOR_BY_WORD: ReadonlyMap<string, { found: ForeignSearchOperator; sign: string }> = new Map([
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
/** French autocorrection replaces << with «. With a closing », however, « is a quote. */
const LONE_GUILLEMET = /«(?![^»]*»)/

const isBlank = (part: string | undefined) => part === undefined || part.trim() === ''
const isSign = (part: string | undefined) => part === '##' || part === '||' || part === '<<'

/** Joins parts without the spaces next to operators. `AND NOT` produces `##` before `<<`, which is reduced to `<<`. */
function joinParts(parts: readonly string[]): string {
  const isSignificant = (part: string, index: number) =>
    !(isBlank(part) && (isBlank(parts[index - 1]) || isSign(parts[index - 1]) || isSign(parts[index + 1])))
  const significantParts = parts.filter(isSignificant)
  return significantParts
    .filter((part, index) => !(part === '##' && significantParts[index + 1] === '<<'))
    .join('')
    .trim()
}

/**
 * Suggests our expression for text with operators of other search engines: `กล้อง OR CCTV -ซ่อม` gives
 * `กล้อง||CCTV<<ซ่อม`. Recognises capitalised AND, OR, NOT, their Thai words when separate, `&&`, a single `|` and
 * `-word`, outside quotes and unescaped, and encoded operators. Null when there is nothing to convert or the result is
 * invalid. The text never changes without the user's consent.
 */
export function suggestSearchConversion(text: string): SearchConversion | null {
  if (text.length > SEARCH_LIMITS.characters) return null
  const foreignOperators = new Set<ForeignSearchOperator>()
  const decodedText = decoded(text)
  if (decodedText !== text) foreignOperators.add('&lt;')
  const converted = decodedText.replace(LONE_GUILLEMET, '<<')
  if (converted !== decodedText) foreignOperators.add('«')
  const parts: string[] = converted.match(PART) ?? []
  const hasBrackets = parts.includes('(')
  const out: string[] = []
  const drops: string[] = []
  parts.forEach((part, index) => {
    const before = parts[index - 1]
    const after = parts[index + 1]
    const isSeparate = (isBlank(before) || before === '(') && (isBlank(after) || after === '(')
    const operator = OPERATOR_BY_WORD.get(part)
    if (operator && (part === '|' || isSeparate)) {
      foreignOperators.add(operator.found)
      out.push(operator.sign)
    } else if (part.length > 1 && part.startsWith('-') && (isBlank(before) || before === '(')) {
      foreignOperators.add('-')
      // In an expression with brackets the exclusion stays in place; without brackets it moves to the end.
      if (hasBrackets) out.push('<<', part.slice(1))
      else drops.push('<<', part.slice(1))
    } else out.push(part)
  })
  if (foreignOperators.size === 0) return null
  const expression = joinParts([...out, ...drops])
  return parseSearchExpression(expression).ok ? { expression, found: [...foreignOperators] } : null
}

/** Patterns of what surrounds a project number in lists, chats and spreadsheets: bullets, "1.", an apostrophe, ".0". */
const BEFORE_ID = /^['‘’#(]+/
const AFTER_ID = /(?<![).])[).]+$/
const DECIMAL_ZEROS = /\.0+$/
const LIST_MARK = /^(?:[-–—•·*]|\d{1,3}[.)])$/

export function splitPastedProjectIds(text: string): string[] {
  const parts = toArabicDigits(removeInvisibleCharacters(text)).split(/[\s,;|、，；]+/)
  const ids = parts
    .filter((part) => !LIST_MARK.test(part))
    .map((part) => part.replace(BEFORE_ID, '').replace(AFTER_ID, '').replace(DECIMAL_ZEROS, ''))
  return [...new Set(ids.filter((id) => id !== ''))]
}
