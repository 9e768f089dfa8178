import { normaliseThai } from '../thai/thai-text.ts'

/** Fifth digit of every demo project number; real ones have 9, older series 5 to 7. */
export const DEMO_SERIES = '8'

/** An e-GP project number: 11 digits, of which the first four are the Buddhist year and month of creation. */
const PROJECT_NUMBER = /(?<!\d)\d{11}(?!\d)/g
const BETWEEN_DIGITS = /(?<=\d)[\s\u2010-\u2015\-_.,/]+(?=\d)/g

/**
 * Extracts the project number from pasted text: with spaces or hyphens, Thai digits, surrounding words, or an e-GP
 * address. Undefined when there is none, or more than one.
 */
export function readProjectId(text: string): string | undefined {
  const normalised = normaliseThai(decodeSafely(text.slice(0, 2_000)))
  const ids = new Set(normalised.match(PROJECT_NUMBER))
  // Joins separated digits only when there is no complete number, so that parts of an address never form one.
  if (ids.size === 0 && !normalised.includes('://'))
    for (const id of normalised.replace(BETWEEN_DIGITS, '').match(PROJECT_NUMBER) ?? []) ids.add(id)
  return ids.size === 1 ? [...ids][0] : undefined
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
