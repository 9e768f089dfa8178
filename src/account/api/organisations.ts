import { useSuspenseQuery } from '@tanstack/react-query'
import { type Organisation, organisationSchema } from '#contract/account/organisation.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'

export const organisationQuery = apiQueryOptions('organisations/me', {
  queryKey: organisationKeys.me,
  schema: organisationSchema,
  staleTime: 5 * 60_000,
})

export function useOrganisation(): Organisation {
  return useSuspenseQuery(useOptimisticQueryOptions(organisationQuery)).data
}
