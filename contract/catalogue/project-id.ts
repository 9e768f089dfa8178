import { normaliseThai } from '../thai/thai-text.ts'

/** Fifth digit of every fictitious project; real ones have 9, older series 5 to 7. */
export const SAMPLE_SERIES = '8'

/** An e-GP project number: 11 digits, of which the first four are the Buddhist year and month of creation. */
const ID = /(?<!\d)\d{11}(?!\d)/g
const BETWEEN_DIGITS = /(?<=\d)[\s\u2010-\u2015\-_.,/]+(?=\d)/g

/**
 * Extracts the project number from pasted text: with spaces or hyphens, Thai digits, surrounding words, or an e-GP
 * address. Undefined when there is none, or more than one.
 */
export function readProjectId(text: string): string | undefined {
  const plain = normaliseThai(decoded(text.slice(0, 2_000)))
  const found = new Set(plain.match(ID))
  // Joins separated digits only when there is no complete number, so that parts of an address never form one.
  if (found.size === 0 && !plain.includes('://'))
    for (const id of plain.replace(BETWEEN_DIGITS, '').match(ID) ?? []) found.add(id)
  return found.size === 1 ? [...found][0] : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
