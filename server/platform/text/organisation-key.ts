import { normaliseThai } from '#contract/thai/thai-text.ts'

/**
 * Normalises an organisation name for comparison: case, width, spaces, invisible characters and the order of Thai marks
 * do not count. Stored in `organisations.name_key`.
 */
export function toOrganisationKey(name: string): string {
  return normaliseThai(name).replaceAll(' ', '')
}
