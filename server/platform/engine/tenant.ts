import { AsyncLocalStorage } from 'node:async_hooks'
import { withoutDeadline } from './deadline.ts'
import { readingFromPrimary } from './replica-reads.ts'

/**
 * The organisation and user of a request. `isApart`: it reads the demo schema instead of the shared tables
 * (set-apart.ts).
 */
export type Tenant = {
  readonly organisationId: number
  readonly userId: number
  readonly isApart?: boolean | undefined
}

type Scope = { readonly tenant: Tenant | undefined; readonly isApart: boolean }
/** undefined (also the default) is the table owner: jobs, commands and public routes. */
const present = new AsyncLocalStorage<Scope | undefined>()

/**
 * Runs `work` as the tenant: every statement it sends, even later, sees only the rows of its organisation and user; the
 * database refuses all others (decision 0025).
 */
export function asTenant<T>(tenant: Tenant, work: () => T): T {
  return present.run({ tenant, isApart: tenant.isApart === true }, work)
}

/**
 * Runs `work` as table owner, for work that a request starts but that is not limited to its tenant: session lookup,
 * caches, timers, the audit trail of refusals.
 */
export function asOwner<T>(work: () => T): T {
  return alone(() => present.run(undefined, work))
}

export function asOwnerApart<T>(work: () => T): T {
  return alone(() => present.run({ tenant: undefined, isApart: true }, work))
}

/**
 * Runs detached from the current request: no deadline, and reads go to the primary, because a replica may be behind
 * shared caches.
 */
const alone = <T>(work: () => T): T => withoutDeadline(() => readingFromPrimary(work))

/** Runs `work` as owner with the shared tables that the caller sees: for caches shared by all users of those tables. */
export function asOwnerBeside<T>(work: () => T): T {
  return isApart() ? asOwnerApart(work) : asOwner(work)
}

export function isApart(): boolean {
  return present.getStore()?.isApart === true
}

/** Returns a getter with one lazily created instance for the real tables and one for the demo schema. */
export function inEachPlace<T>(make: () => T): () => T {
  const made = new Map<boolean, T>()
  return () => {
    const place = isApart()
    if (!made.has(place)) made.set(place, make())
    return made.get(place)!
  }
}

/** The role of migration 0014. Its policies read the two settings. */
const TENANT_ROLE = 'tamngan_tenant'

const SHARED_TABLES = 'reset search_path'
/** Names resolve in the demo schema first; tables missing there (accounts, lists, marks, matches) are common to all. */
const TABLES_APART = `reset search_path; select set_config('search_path', quote_ident(current_schema() || '_sample') || ', ' || current_setting('search_path'), false)`

/** The settings of a connection. Equal `commands` are equal scopes. */
export type ConnectionScope = {
  readonly commands: string
  readonly isApart: boolean
  /** Values of the settings; empty organisation and user for the owner. */
  readonly role: string
  readonly organisation: string
  readonly user: string
}

const ownerScope = (isApart: boolean): ConnectionScope => ({
  commands: `set role none; ${isApart ? TABLES_APART : SHARED_TABLES}`,
  isApart,
  role: 'none',
  organisation: '',
  user: '',
})
/** Scope of a new connection. */
export const OWNER_SCOPE = ownerScope(false)
const OWNER_SCOPE_APART = ownerScope(true)

export function presentScope(): ConnectionScope {
  const scope = present.getStore()
  if (scope?.tenant === undefined) return scope?.isApart ? OWNER_SCOPE_APART : OWNER_SCOPE
  const [organisation, user] = [numberOf(scope.tenant.organisationId), numberOf(scope.tenant.userId)]
  const tables = scope.isApart ? TABLES_APART : SHARED_TABLES
  const commands = `${tables}; set role ${TENANT_ROLE}; set app.organisation = ${organisation}; set app."user" = ${user}`
  return { commands, isApart: scope.isApart, role: TENANT_ROLE, organisation, user }
}

/**
 * The same scope for the current transaction only: behind a pooler, another client uses the connection next. The
 * commands contain only numbers and fixed names, so nothing in them can be mistaken for a command.
 */
export const forOneTransaction = ({ commands }: ConnectionScope): string =>
  commands
    .split('; ')
    .filter((command) => command !== SHARED_TABLES)
    .map((command) => command.replace(/^set /, 'set local ').replace(/, false\)$/, ', true)'))
    .join('; ')

/** `set` takes no parameters, so the id is checked and printed. */
function numberOf(id: number): string {
  if (!Number.isSafeInteger(id)) throw new Error('a tenant is named by whole numbers')
  return String(id)
}
