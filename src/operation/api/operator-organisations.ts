import {
  type OperatorOrganisationChange,
  type OperatorUserChange,
  operatorOrganisationDetailsSchema,
  operatorOrganisationsSchema,
} from '#contract/operation/operator-organisations.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineOptimisticChange } from '#src/api/optimistic-changes.ts'

const KEY = ['operation', 'organisations'] as const
const pathOf = (code: string) => `operation/organisations/${encodeURIComponent(code)}`
const refresh = () => queryClient.invalidateQueries({ queryKey: KEY })

export const operatorOrganisationsQuery = apiQueryOptions('operation/organisations', {
  queryKey: [...KEY, 'list'],
  schema: operatorOrganisationsSchema,
  select: ({ organisations }) => organisations,
  staleTime: 10_000,
})

export const operatorOrganisationQuery = (code: string) =>
  apiQueryOptions('operation/organisations/:code', {
    queryKey: [...KEY, 'one', code],
    params: { code },
    schema: operatorOrganisationDetailsSchema,
    staleTime: 0,
  })

type ChangeVariables = { readonly code: string; readonly change: OperatorOrganisationChange }

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
