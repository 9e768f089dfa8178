import { AsyncLocalStorage } from 'node:async_hooks'
import { withoutDeadline } from './deadline.ts'
import { readingFromPrimary } from './replica-reads.ts'

/** Whose request it is: an organisation, and the user in it. `isApart`: its shared tables are those that were set apart (set-apart.ts). */
export type Tenant = {
  readonly organisationId: number
  readonly userId: number
  readonly isApart?: boolean | undefined
}

type Scope = { readonly tenant: Tenant | undefined; readonly isApart: boolean }
/** Undefined, and where nothing has been said at all: the owner of the tables, as jobs, commands and public routes are. */
const present = new AsyncLocalStorage<Scope | undefined>()

/**
 * Everything that `work` sends to the database, whenever it does so, is the tenant's: the database shows it the rows of its organisation and of its
 * user alone and refuses all others (decision 0025).
 */
export function asTenant<T>(tenant: Tenant, work: () => T): T {
  return present.run({ tenant, isApart: tenant.isApart === true }, work)
}

/** What a request starts and is not its own, or serves everybody: looking up its session, caches, timers, the trail of refusals. */
export function asOwner<T>(work: () => T): T {
  return alone(() => present.run(undefined, work))
}

/** The owner, to whom the tables that were set apart stand in the place of the others. */
export function asOwnerApart<T>(work: () => T): T {
  return alone(() => present.run({ tenant: undefined, isApart: true }, work))
}

/** Without what belongs to the request that happened to start it: its deadline, and its replica, which may be behind what is kept for all. */
const alone = <T>(work: () => T): T => withoutDeadline(() => readingFromPrimary(work))

/** The owner, with the shared tables that the caller sees: for what is kept in memory for all who see the same. */
export function asOwnerBeside<T>(work: () => T): T {
  return isApart() ? asOwnerApart(work) : asOwner(work)
}

/** Whether the code that is running now sees the tables that were set apart. */
export function isApart(): boolean {
  return present.getStore()?.isApart === true
}

/** One thing for those who see the shared tables, and one for those who see the tables set apart; each is made when it is first asked for. */
export function inEachPlace<T>(make: () => T): () => T {
  const made = new Map<boolean, T>()
  return () => {
    const place = isApart()
    if (!made.has(place)) made.set(place, make())
    return made.get(place)!
  }
}

/** The role of migration 0014. Policies read the two settings. */
const TENANT_ROLE = 'tamngan_tenant'

const SHARED_TABLES = 'reset search_path'
/** Names are looked up among the tables set apart first; what is not there (accounts, lists, marks, matches) is the same for everybody. */
const TABLES_APART = `reset search_path; select set_config('search_path', quote_ident(current_schema() || '_sample') || ', ' || current_setting('search_path'), false)`

/** A connection that nobody has entered yet is the owner's. */
export const OWNER_SCOPE = `set role none; ${SHARED_TABLES}`

/** What a connection must have been sent for the code that is running now; equal texts are equal scopes. */
export function presentScope(): string {
  const scope = present.getStore()
  if (scope === undefined) return OWNER_SCOPE
  const { tenant } = scope
  const tables = scope.isApart ? TABLES_APART : SHARED_TABLES
  if (tenant === undefined) return `set role none; ${tables}`
  return `${tables}; set role ${TENANT_ROLE}; set app.organisation = ${numberOf(tenant.organisationId)}; set app."user" = ${numberOf(tenant.userId)}`
}

/**
 * The same scope for the transaction under way alone, on a connection whose scope nobody has set: behind a pooler somebody else uses it next. The texts hold numbers and
 * fixed names, so that nothing else in them can look like a command.
 */
export const forOneTransaction = (scope: string): string =>
  scope
    .split('; ')
    .filter((command) => command !== SHARED_TABLES)
    .map((command) => command.replace(/^set /, 'set local ').replace(/, false\)$/, ', true)'))
    .join('; ')

/** `set` takes no parameters. */
function numberOf(id: number): string {
  if (!Number.isSafeInteger(id)) throw new Error('a tenant is named by whole numbers')
  return String(id)
}
