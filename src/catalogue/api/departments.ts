import { queryOptions } from '@tanstack/react-query'
import { departmentListSchema } from '#contract/catalogue/department.ts'
import { request } from '#src/api/http/client.ts'
import { departmentKeys } from '#src/api/http/keys.ts'

/** Nothing: the top of the tree. Else what is searched for, or whose children are wanted. */
export type DepartmentSearch = { readonly q: string } | { readonly ministry: string } | { readonly department: string }

/** The master list changes with loads, once a night and by hand. */
const FRESH_MS = 10 * 60_000

export const departmentsQuery = (search?: DepartmentSearch) => {
  const query: Readonly<Record<string, string>> = search ?? {}
  return queryOptions({
    queryKey: departmentKeys.list(query),
    queryFn: ({ signal }) => request('departments', { query, schema: departmentListSchema, signal }),
    staleTime: FRESH_MS,
  })
}
