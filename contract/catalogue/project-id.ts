import { normaliseThai } from '../thai/thai-text.ts'

/** Fifth digit of every demo project number. Real numbers have 9 there, or 5 to 7 in older series. */
export const DEMO_PROJECT_SERIES_DIGIT = '8'

/** An e-GP project number: 11 digits, of which the first four are the Buddhist year and month of creation. */
const PROJECT_NUMBER = /(?<!\d)\d{11}(?!\d)/g
const BETWEEN_DIGITS = /(?<=\d)[\s\u2010-\u2015\-_.,/]+(?=\d)/g

/**
 * Extracts the project number from pasted text: with spaces or hyphens, Thai digits, surrounding words, or an e-GP URL.
 * Undefined when the text contains none or more than one.
 */
export function extractProjectId(text: string): string | undefined {
  const normalised = normaliseThai(decodeSafely(text.slice(0, 2_000)))
  const ids = new Set(normalised.match(PROJECT_NUMBER))
  // Joins separated digits only if there is no complete number and no URL, so that parts of a URL never form a number.
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
