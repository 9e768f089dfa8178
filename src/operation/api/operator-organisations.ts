import { queryOptions } from '@tanstack/react-query'
import {
  type OperatorUserChange,
  type OrganisationChange,
  operatorOrganisationDetailsSchema,
  operatorOrganisationsSchema,
} from '#contract/operation/operator-organisations.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineOptimisticChange } from '#src/api/optimistic-changes.ts'

const keys = {
  all: ['operation', 'organisations'] as const,
  list: ['operation', 'organisations', 'list'] as const,
  one: (code: string) => ['operation', 'organisations', 'one', code] as const,
}
const pathOf = (code: string) => `operation/organisations/${encodeURIComponent(code)}`
const refresh = () => queryClient.invalidateQueries({ queryKey: keys.all })

export const operatorOrganisationsQuery = queryOptions({
  queryKey: keys.list,
  queryFn: async ({ signal }) =>
    (await sendApiRequest('operation/organisations', { schema: operatorOrganisationsSchema, signal })).organisations,
  staleTime: 10_000,
})

export const operatorOrganisationQuery = (code: string) =>
  queryOptions({
    queryKey: keys.one(code),
    queryFn: ({ signal }) => sendApiRequest(pathOf(code), { schema: operatorOrganisationDetailsSchema, signal }),
  })

type ChangeVariables = { readonly code: string; readonly change: OrganisationChange }

/** Changes all given fields or, if one is refused, none. */
export const updateOrganisationAsOperator = defineOptimisticChange<ChangeVariables, void>({
  name: 'organisation-operated',
  layers: [],
  scope: 'organisations',
  tags: () => [],
  send: async ({ code, change }, call) => {
    await call(pathOf(code), { method: 'patch', json: change })
    await refresh()
  },
})

export const updateUserAsOperator = defineOptimisticChange<OperatorUserChange, void>({
  name: 'user-operated',
  layers: [],
  scope: 'organisations',
  tags: () => [],
  message: { failed: 'เปลี่ยนบัญชีผู้ใช้ไม่สำเร็จ' },
  send: async (change, call) => {
    await call('operation/users', { method: 'patch', json: change })
    await refresh()
  },
})

export async function rematchOrganisation(code: string): Promise<void> {
  await sendApiRequest(`${pathOf(code)}/rematch`, { method: 'post' })
}
