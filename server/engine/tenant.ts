import { AsyncLocalStorage } from 'node:async_hooks'
import { withoutDeadline } from './deadline.ts'

/** Whose request it is: an organisation, and the user in it. */
export type Tenant = { readonly organisationId: number; readonly userId: number }

/** Undefined, and where nothing has been said at all: the owner of the tables, as jobs, commands and public routes are. */
const present = new AsyncLocalStorage<Tenant | undefined>()

/**
 * Everything that `work` sends to the database, whenever it does so, is the tenant's: the database shows it the rows of its organisation and of its
 * user alone and refuses all others (decision 0025).
 */
export function asTenant<T>(tenant: Tenant, work: () => T): T {
  return present.run(tenant, work)
}

/** What a request starts and is not its own, or serves everybody: looking up its session, caches, timers, the trail of refusals. */
export function asOwner<T>(work: () => T): T {
  return withoutDeadline(() => present.run(undefined, work))
}

/** The role of migration 0014. Policies read the two settings. */
const TENANT_ROLE = 'tamngan_tenant'

/** A connection that nobody has entered yet is the owner's. */
export const OWNER_SCOPE = 'set role none'

/** What a connection must have been sent for the code that is running now; equal texts are equal scopes. */
export function presentScope(): string {
  const tenant = present.getStore()
  if (tenant === undefined) return OWNER_SCOPE
  return `set role ${TENANT_ROLE}; set app.organisation = ${numberOf(tenant.organisationId)}; set app."user" = ${numberOf(tenant.userId)}`
}

/** `set` takes no parameters. */
function numberOf(id: number): string {
  if (!Number.isSafeInteger(id)) throw new Error('a tenant is named by whole numbers')
  return String(id)
}
