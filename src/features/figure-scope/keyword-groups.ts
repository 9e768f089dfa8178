import { useQuery } from '@tanstack/react-query'
import { isStored } from '#src/api/keyword/keyword-edits.ts'
import { organisationQuery } from '#src/api/keyword/organisations.ts'

/** A group of the organisation's watch words as a choice: `code` is its number, as addresses hold it. */
export type GroupChoice = { readonly code: string; readonly th: string }

const NONE: readonly GroupChoice[] = []

/** The groups of the organisation's watch words; none until they have come. */
export function useGroupChoices(): readonly GroupChoice[] {
  const groups = useQuery(organisationQuery).data?.keyword_groups
  return groups?.filter(isStored).map(({ id, name }) => ({ code: String(id), th: name })) ?? NONE
}
