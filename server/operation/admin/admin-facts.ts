import { FACT_NAMES, type FactName } from '#contract/documents/document.ts'
import { CHECKS_NEEDED, RIGHT_NEEDED } from '#contract/documents/facts.ts'
import { isFactName, listFacts, nextCheck, saveCheck, switchFact } from '#server/documents/fact-gate.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { auditAdmin, type By } from './admin-audit.ts'
import { type AdminAnswer, AdminRefusal, type AdminRequest } from './admin-requests.ts'

export type FactRequest = Extract<AdminRequest, { do: 'facts' | 'next-fact' | 'check-fact' | 'set-fact' }>
type FactContext = { readonly db: Db; readonly by: By }

export async function runFactAdmin(context: FactContext, request: FactRequest): Promise<AdminAnswer> {
  const { db } = context
  if (request.do === 'facts') return { facts: await listFacts(db) }
  const { fact } = request
  if (!isFactName(fact)) throw new AdminRefusal(`there is no fact ${fact}; facts: ${FACT_NAMES.join(', ')}`, 'unknown')
  switch (request.do) {
    case 'next-fact':
      return { check: (await nextCheck(db, fact)) ?? null }
    case 'check-fact':
      return await check(context, { fact, hash: request.hash, isRight: request.isRight })
    case 'set-fact':
      return await set(context, fact, request.on)
  }
}

type Check = { readonly fact: FactName; readonly hash: string; readonly isRight: boolean }

async function check({ db, by }: FactContext, seen: Check): Promise<AdminAnswer> {
  const { fact, hash, isRight } = seen
  return await db.transaction(async (tx) => {
    if (!(await saveCheck(tx, seen, new Date())))
      throw new AdminRefusal(`no clear reading of ${fact} in ${hash}`, 'unknown')
    await auditAdmin(tx, by, {}, { did: 'check-fact', fact, hash, isRight })
    return { done: `${fact} is ${isRight ? 'right' : 'wrong'} there` }
  })
}

async function set({ db, by }: FactContext, fact: FactName, on: boolean): Promise<AdminAnswer> {
  return await db.transaction(async (tx) => {
    if ((await switchFact(tx, fact, on, new Date())) === 'unproven')
      throw new AdminRefusal(`${fact} needs ${CHECKS_NEEDED} checks, ${RIGHT_NEEDED * 100} % of them right`)
    await auditAdmin(tx, by, {}, { did: on ? 'fact-on' : 'fact-off', fact })
    return { done: `${fact}: ${on ? 'its value is told' : 'only its sentence is told'}` }
  })
}
