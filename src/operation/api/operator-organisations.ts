import {
  type OperatorOrganisationChange,
  type OperatorUserChange,
  operatorOrganisationDetailsSchema,
  operatorOrganisationsSchema,
} from '#contract/operation/operator-organisations.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { defineOperatorChange } from './define-operator-change.ts'

const KEY = ['operation', 'organisations'] as const
const pathOf = (code: string) => `organisations/${encodeURIComponent(code)}`

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
export const updateOrganisationAsOperator = defineOperatorChange<ChangeVariables>({
  name: 'organisation-operated',
  scope: 'organisations',
  refetches: KEY,
  send: ({ code, change }) => [pathOf(code), 'patch', change],
})

export const updateUserAsOperator = defineOperatorChange<OperatorUserChange>({
  name: 'user-operated',
  scope: 'organisations',
  failed: 'เปลี่ยนบัญชีผู้ใช้ไม่สำเร็จ',
  refetches: KEY,
  send: (change) => ['users', 'patch', change],
})

export const rematchOrganisation = (code: string): Promise<undefined> =>
  sendApiRequest(`operation/${pathOf(code)}/rematch`, { method: 'post' })
