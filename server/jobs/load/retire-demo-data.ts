import {
  copyDemoDataToDemoSchema,
  countDemoData,
  deleteDemoData,
  listBudgetItemIdsLinkedToDemoData,
  markCompaniesAndDepartmentsStale,
} from '#server/account/demo/demo-data-removal-queries.ts'
import { hasDemoData } from '#server/catalogue/feed/demo-source.ts'
import { findProgressiveDataLoad } from '#server/catalogue/feed/progressive-load.ts'
import { refreshBudgetItemStates } from '#server/market/budget/budget-link-queries.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import { acquireMatchingLock } from '#server/matching/queries.ts'
import { setOrganisationDisabled } from '#server/operation/admin/admin-change-queries.ts'
import {
  AdminRequestRejectedError,
  type AdminResponse,
  type RemoveDemoDataRequest,
} from '#server/operation/admin/admin-requests.ts'
import { COMMAND_LINE_ACTOR, recordAdminEvent } from '#server/operation/admin/record-admin-event.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import { runInDemoSchema } from '#server/platform/engine/tenant.ts'
import { deriveProjectData } from './derive-project-data.ts'
import { runEmptyDataLoad } from './nightly-load.ts'
import { MAX_DATA_LOAD_WAIT_MS, withDataLoadLease } from './run-load.ts'

export class DemoDataPresentError extends Error {
  override readonly name = 'DemoDataPresentError'
}

/** `customerCodes`: organisations created with the demo data, whose accounts the request may close. */
export async function runDemoDataRetirement(
  db: Db,
  request: RemoveDemoDataRequest,
  customerCodes: readonly string[],
): Promise<AdminResponse> {
  if (!(await hasDemoData(db))) throw new AdminRequestRejectedError('there is no demo data to remove')
  if (!request.confirmed) {
    const { projects, budgetItems, marks, realProjects } = await countDemoData(db)
    const count = (value: number) => value.toLocaleString('en-US')
    throw new AdminRequestRejectedError(
      `${count(projects)} projects and ${count(budgetItems)} budget items of the demo data would be removed, with everything customers see of them and ${count(marks)} of their marks; ${count(realProjects)} real projects, the watch lists and the saved filters stay, and the demo organisation keeps its demo data. This cannot be undone. To proceed: npm run admin -- retire-sample --confirm`,
    )
  }
  return { done: await retireDemoData(db, request.closeAccounts ? customerCodes : []) }
}

export async function ensureRealDataAllowed(db: Db, retire: boolean): Promise<string | undefined> {
  if (!(await hasDemoData(db))) return undefined
  if (retire) return await retireDemoData(db)
  throw new DemoDataPresentError(
    'the database contains demo data, which must not be mixed with real data: run `npm run admin -- retire-sample --confirm` first, or add --retire-sample to this command. The demo organisation keeps its demo data.',
  )
}

/**
 * Removes the demo data for good: customers no longer see it, the demo gets a complete copy in its own tables, and no
 * further days are generated. This is one transaction. Afterwards, figures that mix real and invented projects are
 * recalculated, and an empty load notifies every process that the report changed; if interrupted, the next load
 * completes this. `disabledCodes`: organisations whose accounts it closes. Returns a summary sentence. Rejects with `AdminRequestRejectedError` or `DataLoadInProgressError`.
 */
export async function retireDemoData(db: Db, disabledCodes: readonly string[] = []): Promise<string> {
  const closeAccounts = disabledCodes.length > 0
  return await withDataLoadLease(
    db,
    async (lease) => {
      if ((await findProgressiveDataLoad(db)) !== undefined)
        throw new AdminRequestRejectedError(
          'demo data is still being imported: try again when /readyz no longer reports it',
        )
      const { projects, realProjects } = await countDemoData(db)
      const isMixed = realProjects > 0
      await db
        .transaction(
          async (tx) => {
            await lease.confirm(tx)
            await acquireMatchingLock(tx)
            await copyDemoDataToDemoSchema(tx)
            const items = await listBudgetItemIdsLinkedToDemoData(tx)
            await deleteDemoData(tx)
            await refreshBudgetItemStates(tx, items)
            for (const code of disabledCodes) await setOrganisationDisabled(tx, code, true)
            await recordAdminEvent(tx, COMMAND_LINE_ACTOR, {}, { did: 'retire-sample', projects, closeAccounts })
          },
          { idleTimeoutMs: 0 },
        )
        .catch(explainMissingPrivilege)
      if (isMixed) await runInDemoSchema(() => recountSeparately(db))
      await runEmptyDataLoad(db, lease)
      await deriveProjectData(db, { changedCount: Number.POSITIVE_INFINITY })
      return `Demo data removed: ${projects.toLocaleString('en-US')} projects. The demo organisation keeps them; no further days of demo data are generated.${closeAccounts ? ' Its accounts are closed.' : ''}`
    },
    MAX_DATA_LOAD_WAIT_MS,
  )
}

async function recountSeparately(db: Db): Promise<void> {
  await db.transaction(
    async (tx) => {
      await refreshBudgetItemStates(tx, await markCompaniesAndDepartmentsStale(tx))
    },
    { idleTimeoutMs: 0 },
  )
  await updateCompanyFacts(db)
}

function explainMissingPrivilege(error: unknown): never {
  if (error instanceof StatementError && error.code === '42501')
    throw new AdminRequestRejectedError(
      `the demo data of the demo needs its own schema, which the database user may not create: an administrator must run  grant create on database … to …;  once (${error.message})`,
    )
  throw error
}
