import type { Organisation } from '#contract/account/organisation.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getCurrentSession } from '#src/lib/session-store.ts'

/**
 * True for a demo session. Use it to hide actions that store organisation data, which the demo forbids (C6); the server
 * rejects them too.
 */
export const isDemoSession = () =>
  queryClient.getQueryData<Organisation>(organisationKeys.me)?.code === DEMO_ORGANISATION_CODE ||
  getCurrentSession()?.isDemo === true
