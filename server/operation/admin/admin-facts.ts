import { DOCUMENT_FACT_NAMES, type DocumentFactName } from '#contract/documents/document.ts'
import { MIN_CORRECT_SHARE, MIN_VERIFIED_READINGS } from '#contract/documents/facts.ts'
import { findNextCheck, isFactName, loadFactStatuses, saveCheck, switchFact } from '#server/documents/fact-gate.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type AdminActor, recordAdminEvent } from './admin-audit.ts'
import { type AdminAnswer, AdminRefusal, type AdminRequest } from './admin-requests.ts'

export type FactRequest = Extract<AdminRequest, { do: 'facts' | 'next-fact' | 'check-fact' | 'set-fact' }>
type FactContext = { readonly db: Db; readonly by: AdminActor }

export async function runFactAdminRequest(context: FactContext, request: FactRequest): Promise<AdminAnswer> {
  const { db } = context
  if (request.do === 'facts') return { facts: await loadFactStatuses(db) }
  const { fact } = request
  if (!isFactName(fact))
    throw new AdminRefusal(`there is no fact ${fact}; facts: ${DOCUMENT_FACT_NAMES.join(', ')}`, 'unknown')
  switch (request.do) {
    case 'next-fact':
      return { check: (await findNextCheck(db, fact)) ?? null }
    case 'check-fact':
      return await recordCheck(context, { fact, hash: request.hash, isRight: request.isRight })
    case 'set-fact':
      return await switchFactState(context, fact, request.on)
  }
}

type Check = { readonly fact: DocumentFactName; readonly hash: string; readonly isRight: boolean }

async function recordCheck({ db, by }: FactContext, verdict: Check): Promise<AdminAnswer> {
  const { fact, hash, isRight } = verdict
  return await db.transaction(async (tx) => {
    if (!(await saveCheck(tx, verdict, new Date())))
      throw new AdminRefusal(`no clear reading of ${fact} in ${hash}`, 'unknown')
    await recordAdminEvent(tx, by, {}, { did: 'check-fact', fact, hash, isRight })
    return { done: `${fact} is ${isRight ? 'right' : 'wrong'} in that document` }
  })
}

async function switchFactState({ db, by }: FactContext, fact: DocumentFactName, on: boolean): Promise<AdminAnswer> {
  return await db.transaction(async (tx) => {
    if ((await switchFact(tx, fact, on, new Date())) === 'unproven')
      throw new AdminRefusal(
        `${fact} needs ${MIN_VERIFIED_READINGS} checks, ${MIN_CORRECT_SHARE * 100} % of them right`,
      )
    await recordAdminEvent(tx, by, {}, { did: on ? 'fact-on' : 'fact-off', fact })
    return { done: `${fact}: ${on ? 'its value is shown' : 'only its sentence is shown'}` }
  })
}
