/**
 * Variants of the grammar's characters from word processors, chats and East Asian keyboards. They are equivalent to the
 * ASCII characters; a preceding `\` makes each an ordinary letter.
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
/** A doubled operator as a single character. */
export const WHOLE_OPERATORS: ReadonlyMap<string, '##' | '||' | '<<'> = new Map([
  ['‖', '||'],
  ['∥', '||'],
  ['≪', '<<'],
])
/** Quotes that word processors and phones write for `"`. */
export const CURLY_QUOTES = '“”„‟«»〝〞❝❞'

/** Allowed inside a doubled operator: autocorrection writes `| |`. */
const GAP = String.raw`[\s\p{Cf}]*`
const OPERATOR = new RegExp(`[#＃]${GAP}[#＃]|[|｜¦]${GAP}[|｜¦]|[<＜]${GAP}[<＜]|[‖∥≪]`, 'u')

/** Returns the offset of the first operator in any spelling; -1 without one. */
export const findOperator = (text: string): number => text.search(OPERATOR)

/** All characters with a meaning in the grammar. */
export const GRAMMAR_SIGNS = /[#|<()"\\＃｜¦＜（）＂‖∥≪“”„‟«»〝〞❝❞]/g
