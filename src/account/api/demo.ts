import type { Organisation } from '#contract/account/organisation.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getCurrentSession } from '#src/lib/session-store.ts'

/** Use it to hide actions that store organisation data: the demo forbids them (C6), and the server rejects them. */
export const isDemoSession = () =>
  queryClient.getQueryData<Organisation>(organisationKeys.me)?.code === DEMO_ORGANISATION_CODE ||
  getCurrentSession()?.isDemo === true
