import sql, { type Sql } from 'sql-template-tag'
import { STAGE_KINDS } from '#contract/account/pursuit-settings.ts'
import { answerPurchases, type WinSource } from '#server/market/who-wins/answer-awards.ts'
import { type FigureIds, idsOfAwarded } from '#server/market/who-wins/award-rows.ts'
import { isBought } from '#server/market/who-wins/read-awards.ts'
import { unitIds } from './find-agency.ts'
import { isOfGroup, isOurs, isPursued, loadOpen } from './own-work-queries.ts'
import { type AgencyQuestion, oursOf, purchasesOf } from './present-agency.ts'
import { conditionOf, findProjects } from './queries.ts'

/**
 * Returns how many projects are behind an agency figure (contract/market/agency.ts) and the first `most` of them;
 * undefined when the text names no figure.
 */
export async function idsOfAgencyFigure(
  source: WinSource,
  question: AgencyQuestion,
  text: string,
  most: number,
): Promise<FigureIds | undefined> {
  const { db } = source
  const { agency, scope } = question
  const at = text.indexOf(':')
  const [kind, named] = at < 0 ? [text, undefined] : ([text.slice(0, at), text.slice(at + 1)] as const)
  const ours = await ourCondition(db, question, [kind!, named])
  if (ours) return await findProjects(db, ours, most)
  const asked = purchasesOf(question)
  // A unit figure always counts the whole agency, even when the query selects another unit.
  const purchases = kind === 'unit' ? { ...asked, units: unitIds(agency, undefined) } : asked
  const own = kind === 'group' ? groupCondition(question, named) : conditionOf(kind!, named)
  if (own) return await findProjects(db, sql`${isBought(purchases, scope)} and ${own}`, most)
  return await answerPurchases(source, purchases, scope, (awarded) => idsOfAwarded(db, awarded, text, most))
}

function groupCondition(question: AgencyQuestion, named: string | undefined): Sql | undefined {
  if (named === '') return isOfGroup(oursOf(question), null)
  return named !== undefined && /^[1-9]\d{0,8}$/.test(named) ? isOfGroup(oursOf(question), Number(named)) : undefined
}

type Named = readonly [kind: string, named: string | undefined]

/**
 * Returns the condition for a figure about the caller's organisation (all years); undefined for other figures. The demo
 * has no pursuits.
 */
async function ourCondition(
  db: WinSource['db'],
  question: AgencyQuestion,
  [kind, named]: Named,
): Promise<Sql | undefined> {
  const ours = oursOf(question)
  if (kind === 'matches' && named === undefined) return isOurs(ours)
  if (kind === 'open' && named === undefined) {
    const open = await loadOpen(db, ours)
    return sql`p.project_id = any (${open.map(({ project_id }) => project_id)}::text[])`
  }
  const isKind = named === undefined || STAGE_KINDS.some(({ code }) => code === named)
  if (kind !== 'pursuits' || !isKind || !question.hasPursuits) return undefined
  return sql`p.department_id = any (${[...ours.units]}::int[]) and ${await isPursued(db, ours, named)}`
}
