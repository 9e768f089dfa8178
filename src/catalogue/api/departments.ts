import { queryOptions } from '@tanstack/react-query'
import { departmentListSchema } from '#contract/catalogue/department.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { departmentKeys } from '#src/api/http/keys.ts'

export type DepartmentSearch = { readonly q: string } | { readonly ministry: string } | { readonly department: string }

/** Short enough to pick up data loads, nightly and manual, which change the master list. */
const STALE_TIME_MS = 10 * 60_000

export const departmentsQuery = (search?: DepartmentSearch) => {
  const query: Readonly<Record<string, string>> = search ?? {}
  return queryOptions({
    queryKey: departmentKeys.list(query),
    queryFn: ({ signal }) => sendApiRequest('departments', { query, schema: departmentListSchema, signal }),
    staleTime: STALE_TIME_MS,
  })
}
