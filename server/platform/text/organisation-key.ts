import { normaliseThai } from '#contract/thai/thai-text.ts'

/** What makes two spellings one organisation's name: case, width, blanks, invisible characters and the order of Thai marks do not count. Stored in `organisations.name_key`. */
export function organisationKeyOf(name: string): string {
  return normaliseThai(name).replaceAll(' ', '')
}
