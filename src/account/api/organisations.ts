import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { type Organisation, organisationSchema } from '#contract/account/organisation.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'

export const organisationQuery = queryOptions({
  queryKey: organisationKeys.me,
  queryFn: ({ signal }) => sendApiRequest('organisations/me', { schema: organisationSchema, signal }),
  staleTime: 5 * 60_000,
})

export function useOrganisation(): Organisation {
  return useSuspenseQuery(useOptimisticQueryOptions(organisationQuery)).data
}
