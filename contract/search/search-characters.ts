/**
 * Variants of the grammar's characters from word processors, chats and East Asian keyboards. They are equivalent to the
 * ASCII characters; a preceding `\` makes each an ordinary letter.
 */
export const SEARCH_CHARACTER_VARIANTS: ReadonlyMap<string, string> = new Map([
  ['＃', '#'],
  ['﹟', '#'],
  ['♯', '#'],
  ['｜', '|'],
  ['¦', '|'],
  ['│', '|'],
  ['ǀ', '|'],
  ['∣', '|'],
  ['＜', '<'],
  ['﹤', '<'],
  ['（', '('],
  ['）', ')'],
  ['＂', '"'],
])
export const SINGLE_CHARACTER_SEARCH_OPERATORS: ReadonlyMap<string, '##' | '||' | '<<'> = new Map([
  ['‖', '||'],
  ['∥', '||'],
  ['ǁ', '||'],
  ['⟪', '<<'],
  ['≪', '<<'],
])
export const CURLY_QUOTES = '“”„‟«»‹›「」『』《》〝〞❝❞'

/** Characters allowed between the two signs of an operator, because autocorrection writes `| |`. */
const GAP = String.raw`[\s\p{Cf}]*`
const anyVariant = (sign: string) =>
  `[${sign}${[...SEARCH_CHARACTER_VARIANTS].flatMap(([variant, plain]) => (plain === sign ? variant : [])).join('')}]`
const OPERATOR = new RegExp(
  [
    ...['#', '|', '<'].map((sign) => anyVariant(sign) + GAP + anyVariant(sign)),
    `[${[...SINGLE_CHARACTER_SEARCH_OPERATORS.keys()].join('')}]`,
  ].join('|'),
  'u',
)

export const findSearchOperator = (text: string): number => text.search(OPERATOR)

export const SEARCH_GRAMMAR_CHARACTERS_PATTERN = new RegExp(
  `[\\\\${[...SEARCH_CHARACTER_VARIANTS].flat().join('')}${[...SINGLE_CHARACTER_SEARCH_OPERATORS.keys()].join('')}${CURLY_QUOTES}]`,
  'g',
)
