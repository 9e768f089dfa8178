import { DEMO_ORGANISATION_CODE, OPERATOR_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { buildTrialOrganisation } from '#server/account/organisation/build-trial-organisation.ts'
import { insertOrganisation } from '#server/account/organisation/new-account.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  setOrganisationBudgetYears,
  setOrganisationDisabled,
  setOrganisationFlag,
  setOrganisationLimit,
  setOrganisationPackage,
} from './admin-change-queries.ts'
import { runDocumentFactAdminRequest } from './admin-facts.ts'
import { runJobAdminRequest } from './admin-jobs.ts'
import { runKeywordAdminRequest } from './admin-keywords.ts'
import { listDataLoads, listNightlyRunDataLoads, listUnreadableSourceRows } from './admin-load-queries.ts'
import {
  type AdminRequest,
  AdminRequestRejectedError,
  type AdminResponse,
  createAlreadyTakenErrorHandler,
  type OrganisationLimitName,
} from './admin-requests.ts'
import {
  type AdminContext,
  createOperator,
  createUser,
  removeSecondFactorAsOperator,
  setEmailAsOperator,
  setPasswordAsOperator,
} from './admin-users.ts'
import { changeUserAsOperator } from './change-user-as-operator.ts'
import { findOrganisationDetails, listOrganisations, listUsers } from './queries.ts'
import { recordAdminEvent } from './record-admin-event.ts'

type Request<Do extends AdminRequest['do']> = Extract<AdminRequest, { do: Do }>

/**
 * Runs an admin request from the command line or an operator's screen; each change writes an audit row. Rejects with
 * `AdminRequestRejectedError` if the request cannot be carried out.
 */
export async function runAdminRequest(context: AdminContext, request: AdminRequest): Promise<AdminResponse> {
  const { db } = context
  switch (request.do) {
    case 'organisations':
      return { organisations: await listOrganisations(db) }
    case 'users':
      return { users: await listUsers(db, request.organisation) }
    case 'attention':
    case 'metrics':
    case 'mails':
    case 'resend-mail':
    case 'jobs':
    case 'restart-job':
      return await runJobAdminRequest(context, request)
    case 'loads':
      return {
        loads: request.night === undefined ? await listDataLoads(db) : await listNightlyRunDataLoads(db, request.night),
      }
    case 'bad-rows':
      return { badRows: await listUnreadableSourceRows(db, request.load) }
    case 'show':
      return await showOrganisation(db, request.organisation)
    case 'create-organisation':
      return await createOrganisation(context, request)
    case 'create-user':
      return await createUser(context, request)
    case 'create-operator':
      return await createOperator(context, request)
    case 'remove-second-factor':
      return await removeSecondFactorAsOperator(context, request)
    case 'set-email':
      return await setEmailAsOperator(context, request)
    case 'set-password':
      return await setPasswordAsOperator(context, request)
    case 'set-user-disabled':
    case 'set-role':
    case 'set-max-labels':
      return await changeUserAsOperator(context, request)
    case 'facts':
    case 'next-fact':
    case 'check-fact':
    case 'set-fact':
      return await runDocumentFactAdminRequest(context, request)
    case 'blacklist':
    case 'change-blacklist':
    case 'waiting':
    case 'keyword-impact':
    case 'judge-keyword':
    case 'set-window':
    case 'rematch':
      return await runKeywordAdminRequest(context, request)
    default:
      return await changeOrganisation(context, request)
  }
}

async function showOrganisation(db: Db, code: string): Promise<AdminResponse> {
  const details = await findOrganisationDetails(db, code)
  if (!details) throw new AdminRequestRejectedError(`there is no organisation ${code}`, 'unknown')
  return { details, users: await listUsers(db, code) }
}

async function createOrganisation(
  { db, by }: AdminContext,
  request: Request<'create-organisation'>,
): Promise<AdminResponse> {
  const { code, name } = request
  if (!/^[a-z0-9][a-z0-9-]{1,39}$/.test(code))
    throw new AdminRequestRejectedError('a code must be 2 to 40 characters of a-z, 0-9 and -')
  // Anyone may enter the demo organisation (C6), and members of the operators' organisation may enter all others (R61).
  if (code === DEMO_ORGANISATION_CODE || code === OPERATOR_ORGANISATION_CODE)
    throw new AdminRequestRejectedError(`the code ${code} is reserved`)
  if (name.trim().length < 5 || name.length > 200)
    throw new AdminRequestRejectedError('a name must have 5 to 200 characters')
  const row = buildTrialOrganisation({ code, name: name.trim() }, getBangkokToday(new Date()))
  const id = await insertOrganisation(db, { ...row, package: request.package ?? row.package }).catch(
    createAlreadyTakenErrorHandler('that name'),
  )
  if (id === undefined) throw new AdminRequestRejectedError(`organisation ${code} already exists`)
  await recordAdminEvent(db, by, { organisationId: id }, { did: request.do, code })
  return {
    done: `Organisation ${code} is made, package ${request.package ?? row.package}. Its first user: create-user ${code} EMAIL …`,
  }
}

function limitChangeText(limit: OrganisationLimitName, limitValue: number): string {
  if (limit === 'document-days')
    return limitValue === 0 ? 'documents are kept forever' : `documents are kept for ${limitValue} days`
  if (limit === 'picture-pages')
    return limitValue === 0 ? 'no scanned pages are read' : `at most ${limitValue} scanned pages are read per day`
  return `at most ${limitValue} words in ${limit}`
}

async function changeOrganisation(
  { db, by }: AdminContext,
  request: Request<'set-organisation-disabled' | 'set-package' | 'set-flag' | 'set-limit' | 'set-budget-years'>,
): Promise<AdminResponse> {
  const { organisation: code } = request
  const { id, done } = await (async (): Promise<{ id: number | undefined; done: string }> => {
    switch (request.do) {
      case 'set-organisation-disabled':
        return {
          id: await setOrganisationDisabled(db, code, request.disabled),
          done: request.disabled ? 'disabled' : 'enabled',
        }
      case 'set-package':
        return { id: await setOrganisationPackage(db, code, request.package), done: `package ${request.package}` }
      case 'set-flag':
        return {
          id: await setOrganisationFlag(db, code, request.flag, request.on),
          done: `${request.flag} ${request.on ? 'on' : 'off'}`,
        }
      case 'set-limit':
        return {
          id: await setOrganisationLimit(db, code, request.limit, request.most),
          done: limitChangeText(request.limit, request.most),
        }
      case 'set-budget-years':
        return {
          id: await setOrganisationBudgetYears(db, code, request.years),
          done: `budget years ${request.years.join(', ') || 'none'}`,
        }
    }
  })()
  if (id === undefined) throw new AdminRequestRejectedError(`there is no organisation ${code}`, 'unknown')
  await recordAdminEvent(db, by, { organisationId: id }, { did: request.do, done })
  return { done: `${code}: ${done}` }
}
