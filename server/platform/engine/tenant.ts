import { AsyncLocalStorage } from 'node:async_hooks'
import { withoutDeadline } from './deadline.ts'
import { withPrimaryReads } from './replica-reads.ts'

/**
 * The organisation and user of a request, and whether it reads the demo schema (demo-schema.ts) instead of the shared
 * tables.
 */
export type Tenant = {
  readonly organisationId: number
  readonly userId: number
  readonly isInDemoSchema?: boolean | undefined
}

type Scope = { readonly tenant: Tenant | undefined; readonly isInDemoSchema: boolean }
/**
 * Scope of the running code. Undefined, also the default, means the table owner, as which jobs, commands and public
 * routes run.
 */
const currentScopes = new AsyncLocalStorage<Scope | undefined>()

/**
 * Runs `work` as the tenant: every statement it sends, even later, sees only the rows of its organisation and user; the
 * database refuses all others (decision 0025).
 */
export function runAsTenant<T>(tenant: Tenant, work: () => T): T {
  return currentScopes.run({ tenant, isInDemoSchema: tenant.isInDemoSchema === true }, work)
}

/**
 * Runs `work` as table owner, for work that a request starts but that is not limited to its tenant: session lookup,
 * caches, timers, the audit trail of refusals.
 */
export function runWithoutTenant<T>(work: () => T): T {
  return detached(() => currentScopes.run(undefined, work))
}

export function runInDemoSchema<T>(work: () => T): T {
  return detached(() => currentScopes.run({ tenant: undefined, isInDemoSchema: true }, work))
}

/**
 * Runs detached from the current request: no deadline, and reads go to the primary, because a replica may be behind
 * shared caches.
 */
const detached = <T>(work: () => T): T => withoutDeadline(() => withPrimaryReads(work))

/** Runs `work` as table owner on the schema that the caller sees: for caches shared by all users of that schema. */
export function runInCallerSchema<T>(work: () => T): T {
  return usesDemoSchema() ? runInDemoSchema(work) : runWithoutTenant(work)
}

export function usesDemoSchema(): boolean {
  return currentScopes.getStore()?.isInDemoSchema === true
}

export function memoizePerDatabaseSchema<T>(make: () => T): () => T {
  const instances = new Map<boolean, T>()
  return () => {
    const isDemo = usesDemoSchema()
    if (!instances.has(isDemo)) instances.set(isDemo, make())
    return instances.get(isDemo)!
  }
}

/** The database role created in migration 0014, whose row policies read the organisation and user settings. */
const TENANT_ROLE = 'tamngan_tenant'

const SHARED_TABLES = 'reset search_path'
/**
 * Commands that set the `search_path` of demo users. Names resolve in the demo schema first; tables missing there
 * (accounts, lists, marks, matches) are common to all users.
 */
const DEMO_TABLES = `reset search_path; select set_config('search_path', quote_ident(current_schema() || '_sample') || ', ' || current_setting('search_path'), false)`

export type ConnectionScope = {
  readonly commands: string
  readonly isInDemoSchema: boolean
  readonly role: string
  readonly organisation: string
  readonly user: string
}

const ownerScope = (isInDemoSchema: boolean): ConnectionScope => ({
  commands: `set role none; ${isInDemoSchema ? DEMO_TABLES : SHARED_TABLES}`,
  isInDemoSchema,
  role: 'none',
  organisation: '',
  user: '',
})
export const NO_TENANT_SCOPE = ownerScope(false)
const DEMO_OWNER_SCOPE = ownerScope(true)

export function getConnectionScope(): ConnectionScope {
  const scope = currentScopes.getStore()
  if (scope?.tenant === undefined) return scope?.isInDemoSchema ? DEMO_OWNER_SCOPE : NO_TENANT_SCOPE
  const [organisation, user] = [numberOf(scope.tenant.organisationId), numberOf(scope.tenant.userId)]
  const tables = scope.isInDemoSchema ? DEMO_TABLES : SHARED_TABLES
  const commands = `${tables}; set role ${TENANT_ROLE}; set app.organisation = ${organisation}; set app."user" = ${user}`
  return { commands, isInDemoSchema: scope.isInDemoSchema, role: TENANT_ROLE, organisation, user }
}

/**
 * Returns commands that set this scope for the current transaction only, because behind a pooler another client uses
 * the connection next. They contain only numbers and fixed names, so no injection is possible.
 */
export const buildTransactionScopeCommands = ({ commands }: ConnectionScope): string =>
  commands
    .split('; ')
    .filter((command) => command !== SHARED_TABLES)
    .map((command) => command.replace(/^set /, 'set local ').replace(/, false\)$/, ', true)'))
    .join('; ')

/** Returns the id as text for a `set` command, which takes no bind parameters, after checking that it is a number. */
function numberOf(id: number): string {
  if (!Number.isSafeInteger(id)) throw new Error('tenant ids must be whole numbers')
  return String(id)
}
