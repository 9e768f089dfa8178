import { departmentListSchema } from '#contract/catalogue/department.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'

export type DepartmentSearch = { readonly q: string } | { readonly ministry: string } | { readonly department: string }

/** Short enough to pick up data loads, nightly and manual, which change the master list. */
const STALE_TIME_MS = 10 * 60_000

export const departmentsQuery = (search?: DepartmentSearch) => {
  const query: Readonly<Record<string, string>> = search ?? {}
  return apiQueryOptions('departments', {
    queryKey: ['departments', query],
    query,
    schema: departmentListSchema,
    staleTime: STALE_TIME_MS,
  })
}
