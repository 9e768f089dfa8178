import { DOCUMENT_FACT_NAMES, type DocumentFactName } from '#contract/documents/document.ts'
import {
  MIN_CORRECT_DOCUMENT_FACT_SHARE,
  MIN_VERIFIED_DOCUMENT_FACT_READINGS,
} from '#contract/documents/fact-statuses.ts'
import {
  findNextDocumentFactCheck,
  isDocumentFactName,
  loadDocumentFactStatuses,
  saveDocumentFactCheck,
  setDocumentFactDisplayed,
} from '#server/documents/fact-checks.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type AdminRequest, AdminRequestRejectedError, type AdminResponse } from './admin-requests.ts'
import { type AdminActor, recordAdminEvent } from './record-admin-event.ts'

export type DocumentFactAdminRequest = Extract<AdminRequest, { do: 'facts' | 'next-fact' | 'check-fact' | 'set-fact' }>
type FactContext = { readonly db: Db; readonly by: AdminActor }

export async function runDocumentFactAdminRequest(
  context: FactContext,
  request: DocumentFactAdminRequest,
): Promise<AdminResponse> {
  const { db } = context
  if (request.do === 'facts') return { facts: await loadDocumentFactStatuses(db) }
  const { fact } = request
  if (!isDocumentFactName(fact))
    throw new AdminRequestRejectedError(`there is no fact ${fact}; facts: ${DOCUMENT_FACT_NAMES.join(', ')}`, 'unknown')
  switch (request.do) {
    case 'next-fact':
      return { check: (await findNextDocumentFactCheck(db, fact)) ?? null }
    case 'check-fact':
      return await recordCheck(context, { fact, hash: request.hash, isRight: request.isRight })
    case 'set-fact':
      return await switchFactState(context, fact, request.on)
  }
}

type Check = { readonly fact: DocumentFactName; readonly hash: string; readonly isRight: boolean }

async function recordCheck({ db, by }: FactContext, verdict: Check): Promise<AdminResponse> {
  const { fact, hash, isRight } = verdict
  return await db.transaction(async (tx) => {
    if (!(await saveDocumentFactCheck(tx, verdict, new Date())))
      throw new AdminRequestRejectedError(`no clear reading of ${fact} in ${hash}`, 'unknown')
    await recordAdminEvent(tx, by, {}, { did: 'check-fact', fact, hash, isRight })
    return { done: `${fact} is ${isRight ? 'right' : 'wrong'} in that document` }
  })
}

async function switchFactState({ db, by }: FactContext, fact: DocumentFactName, on: boolean): Promise<AdminResponse> {
  return await db.transaction(async (tx) => {
    if ((await setDocumentFactDisplayed(tx, fact, on, new Date())) === 'unproven')
      throw new AdminRequestRejectedError(
        `${fact} needs ${MIN_VERIFIED_DOCUMENT_FACT_READINGS} checks, ${MIN_CORRECT_DOCUMENT_FACT_SHARE * 100} % of them right`,
      )
    await recordAdminEvent(tx, by, {}, { did: on ? 'fact-on' : 'fact-off', fact })
    return { done: `${fact}: ${on ? 'its value is shown' : 'only its sentence is shown'}` }
  })
}
