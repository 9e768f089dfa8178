import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { SAMPLE_ORGANISATIONS } from '#sample/accounts/sample-organisations.ts'
import {
  countSample,
  itemsLinkedToSample,
  markForRecount,
  removeSample,
  setSampleApart,
} from '#server/account/demo/sample-removal-queries.ts'
import { findFilling } from '#server/catalogue/feed/fill-load.ts'
import { isSampleIn } from '#server/catalogue/feed/sample-source.ts'
import { refreshItems } from '#server/market/budget/budget-link-queries.ts'
import { updateCompanies } from '#server/market/company/update-companies.ts'
import { lockMatching } from '#server/matching/queries.ts'
import { auditAdmin, COMMAND_LINE } from '#server/operation/admin/admin-audit.ts'
import { setDisabled } from '#server/operation/admin/admin-change-queries.ts'
import { type AdminAnswer, AdminRefusal, type RetireRequest } from '#server/operation/admin/admin-requests.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import { asOwnerApart } from '#server/platform/engine/tenant.ts'
import { runEmptyLoad } from './nightly-load.ts'
import { asOnlyLoader, PATIENCE_MS } from './run-load.ts'
import { workOut } from './work-out.ts'

export class SampleStillIn extends Error {
  override readonly name = 'SampleStillIn'
}

/** Runs `npm run admin -- retire-sample`. Rejects with `AdminRefusal`. */
export async function runRetirement(db: Db, request: RetireRequest): Promise<AdminAnswer> {
  if (!(await isSampleIn(db))) throw new AdminRefusal('the sample is not in: nothing is to leave')
  if (!request.confirmed) {
    const { projects, budgetItems, marks, realProjects } = await countSample(db)
    const count = (value: number) => value.toLocaleString('en-US')
    throw new AdminRefusal(
      `${count(projects)} projects and ${count(budgetItems)} budget items of the sample would leave, with all that customers see of them and ${count(marks)} of their marks; ${count(realProjects)} real projects, the watch lists and the saved filters stay, and the demo keeps its sample. There is no way back. To do it: npm run admin -- retire-sample --confirm`,
    )
  }
  return { done: await retireSample(db, request) }
}

/**
 * Ensures that real data may be imported: retires existing demo data if `retire`, else rejects with `SampleStillIn`.
 */
export async function makeWayForRealData(db: Db, retire: boolean): Promise<string | undefined> {
  if (!(await isSampleIn(db))) return undefined
  if (retire) return await retireSample(db)
  throw new SampleStillIn(
    'the sample is in, and real data must not stand beside it: first `npm run admin -- retire-sample --confirm`, or add --retire-sample to this command. The demo keeps its sample.',
  )
}

/**
 * Removes the demo data for good: customers no longer see it, the demo gets a complete copy in its own tables, and no
 * further days are generated. This is one transaction. Afterwards, figures that mix real and invented projects are
 * recalculated, and an empty load notifies every process that the report changed; if interrupted, the next load
 * completes this. Returns a summary sentence. Rejects with `AdminRefusal` or `LoadBusy`.
 */
export async function retireSample(
  db: Db,
  { closeAccounts = false }: { readonly closeAccounts?: boolean } = {},
): Promise<string> {
  return await asOnlyLoader(
    db,
    async (lease) => {
      if ((await findFilling(db)) !== undefined)
        throw new AdminRefusal('the sample is still coming in: try again when /readyz tells no more of it')
      const { projects, realProjects } = await countSample(db)
      const isMixed = realProjects > 0
      await db
        .transaction(
          async (tx) => {
            await lease.confirm(tx)
            await lockMatching(tx)
            await setSampleApart(tx)
            const items = await itemsLinkedToSample(tx)
            await removeSample(tx)
            await refreshItems(tx, items)
            if (closeAccounts) await closeSampleAccounts(tx)
            await auditAdmin(tx, COMMAND_LINE, {}, { did: 'retire-sample', projects, closeAccounts })
          },
          { idleTimeoutMs: 0 },
        )
        .catch(explainRight)
      if (isMixed) await asOwnerApart(() => countApart(db))
      await runEmptyLoad(db, lease)
      await workOut(db, { changed: Number.POSITIVE_INFINITY })
      return `The sample has left: ${projects.toLocaleString('en-US')} projects. The demo keeps them; no day of the sample is made any more.${closeAccounts ? ' Its accounts are closed.' : ''}`
    },
    PATIENCE_MS,
  )
}

async function closeSampleAccounts(tx: Db): Promise<void> {
  for (const { code } of SAMPLE_ORGANISATIONS) if (code !== DEMO_ORGANISATION_CODE) await setDisabled(tx, code, true)
}

async function countApart(db: Db): Promise<void> {
  await db.transaction(
    async (tx) => {
      await refreshItems(tx, await markForRecount(tx))
    },
    { idleTimeoutMs: 0 },
  )
  await updateCompanies(db)
}

function explainRight(error: unknown): never {
  // insufficient_privilege
  if (error instanceof StatementError && error.code === '42501')
    throw new AdminRefusal(
      `the demo's sample needs a schema of its own, which the database user may not make: an administrator runs  grant create on database … to …;  once (${error.message})`,
    )
  throw error
}
