import { normaliseThai } from '../thai/thai-text.ts'

/** The fifth digit of every invented project: real ones bear 9 there, older series 5 to 7. */
export const SAMPLE_SERIES = '8'

/** A project number of e-GP: 11 digits, the first four the Buddhist year and month in which it was made. */
const ID = /(?<!\d)\d{11}(?!\d)/g
/** What people and cells put between the digits of one number. */
const BETWEEN_DIGITS = /(?<=\d)[\s\u2010-\u2015\-_.,/]+(?=\d)/g

/**
 * The project number in what somebody pasted: with blanks or hyphens in it, in Thai digits, with words around it, or an address of e-GP that
 * contains it. Undefined when there is none, or more than one different.
 */
export function readProjectId(text: string): string | undefined {
  const plain = normaliseThai(decoded(text.slice(0, 2_000)))
  const found = new Set(plain.match(ID))
  // A number in pieces is looked for only where no whole one stands, so that the pieces of an address never make one.
  if (found.size === 0 && !plain.includes('://'))
    for (const id of plain.replace(BETWEEN_DIGITS, '').match(ID) ?? []) found.add(id)
  return found.size === 1 ? [...found][0] : undefined
}

/** An address may have been copied in its encoded form. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
