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

/** What a connection must have been sent. Equal `commands` are equal scopes. */
export type ConnectionScope = {
  readonly commands: string
  readonly isApart: boolean
  /** Values of the settings; the owner's organisation and user are nobody's. */
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
/** A connection that nobody has entered yet is the owner's. */
export const OWNER_SCOPE = ownerScope(false)
const OWNER_SCOPE_APART = ownerScope(true)

/** Whose the code is that is running now. */
export function presentScope(): ConnectionScope {
  const scope = present.getStore()
  if (scope?.tenant === undefined) return scope?.isApart ? OWNER_SCOPE_APART : OWNER_SCOPE
  const [organisation, user] = [numberOf(scope.tenant.organisationId), numberOf(scope.tenant.userId)]
  const tables = scope.isApart ? TABLES_APART : SHARED_TABLES
  const commands = `${tables}; set role ${TENANT_ROLE}; set app.organisation = ${organisation}; set app."user" = ${user}`
  return { commands, isApart: scope.isApart, role: TENANT_ROLE, organisation, user }
}

/**
 * The same scope for the transaction under way alone, on a connection whose scope nobody has set: behind a pooler somebody else uses it next. The texts hold numbers and
 * fixed names, so that nothing else in them can look like a command.
 */
export const forOneTransaction = ({ commands }: ConnectionScope): string =>
  commands
    .split('; ')
    .filter((command) => command !== SHARED_TABLES)
    .map((command) => command.replace(/^set /, 'set local ').replace(/, false\)$/, ', true)'))
    .join('; ')

/** `set` takes no parameters. */
function numberOf(id: number): string {
  if (!Number.isSafeInteger(id)) throw new Error('a tenant is named by whole numbers')
  return String(id)
}
