/**
 * Signs of the grammar as word processors, chats and keyboards of East Asia write them. They mean what their ASCII twins mean; `\` in front makes each an
 * ordinary letter.
 */
export const SIGN_TWINS: ReadonlyMap<string, string> = new Map([
  ['＃', '#'],
  ['｜', '|'],
  ['¦', '|'],
  ['＜', '<'],
  ['（', '('],
  ['）', ')'],
  ['＂', '"'],
])
/** A doubled sign in one letter. */
export const WHOLE_OPERATORS: ReadonlyMap<string, '##' | '||' | '<<'> = new Map([
  ['‖', '||'],
  ['∥', '||'],
  ['≪', '<<'],
])
/** Quotes that word processors and phones write for `"`. */
export const CURLY_QUOTES = '“”„‟«»〝〞❝❞'

/** What may stand inside a doubled sign: autocorrection sets `| |` apart. */
const GAP = String.raw`[\s\p{Cf}]*`
const OPERATOR = new RegExp(`[#＃]${GAP}[#＃]|[|｜¦]${GAP}[|｜¦]|[<＜]${GAP}[<＜]|[‖∥≪]`, 'u')

/** Offset of the first operator in a text, however it was typed; -1 without one. */
export const findOperator = (text: string): number => text.search(OPERATOR)

/** Every letter that the grammar does not take as text. */
export const GRAMMAR_SIGNS = /[#|<()"\\＃｜¦＜（）＂‖∥≪“”„‟«»〝〞❝❞]/g
