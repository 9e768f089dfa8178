import type { Db } from '#server/engine/db.ts'
import { behind, inBatches, mapInTurns } from '#server/engine/in-batches.ts'
import { type NameWords, nameWords, TRAITS_VERSION } from './name-words.ts'
import {
  countWritten,
  findLoadsWithoutTraits,
  loadNamedProjects,
  markTraits,
  type NamedProject,
  saveTraits,
  type TraitRow,
} from './queries-similar.ts'
import { agencyOf, type PriceState, roadOf, sizeOf, tokensOf } from './trait-tokens.ts'

/** About 25 ms of the database to read, and as much to write. */
const BATCH = 1_000
const CANCELLED = new Set(['project_cancelled', 'invitation_cancelled'])

/**
 * Writes what makes projects comparable for all loads for which nobody has done it, outside the transaction that published them: a report
 * never waits for it. Ended in the middle it begins with that load again at the next call; equal rows are not written twice.
 * Answers the number of projects looked at.
 */
export async function writeTraits(
  db: Db,
  onProgress?: (done: number, total: number) => void,
  words: NameWords = nameWords(),
): Promise<number> {
  let done = 0
  const loads = await findLoadsWithoutTraits(db, TRAITS_VERSION)
  const total = onProgress ? await countWritten(db, loads) : 0
  for (const loadId of loads) {
    await inBatches({
      read: behind(BATCH, (last?: NamedProject) => loadNamedProjects(db, loadId, last?.project_id ?? '', BATCH)),
      prepare: (projects: readonly NamedProject[]) => mapInTurns(projects, (project) => traitsOf(words, project)),
      async write(traits) {
        await saveTraits(db, traits)
        done += traits.length
        onProgress?.(done, total)
      },
    })
    await markTraits(db, loadId, TRAITS_VERSION)
  }
  return done
}

/** Whether nothing is left for `writeTraits` to do. */
export async function isComparable(db: Db): Promise<boolean> {
  return (await findLoadsWithoutTraits(db, TRAITS_VERSION)).length === 0
}

/** A project counts as decided with a winning price that nobody took back: not with a cancelled winner, unless a contract stands. */
export function traitsOf(words: NameWords, project: NamedProject): TraitRow {
  const { estimate_satang, winner_satang } = project
  const isTakenBack =
    CANCELLED.has(project.status) || (project.movement === 'winner_cancelled' && project.contracts === 0)
  const isDecided = winner_satang !== null && winner_satang > 0 && !isTakenBack
  const size = sizeOf(project) ?? null
  return {
    project_id: project.project_id,
    size_satang: size,
    estimate_satang: isDecided ? estimate_satang : null,
    winner_satang: isDecided ? winner_satang : null,
    decided_on: isDecided ? project.decided_on : null,
    tokens: [
      ...tokensOf({
        departmentId: project.department_id,
        agency: agencyOf(project.dept_name, project.dept_province),
        kind: { methodType: project.method_type, road: roadOf(project.method), price: priceStateOf(project) },
        sizeSatang: size,
        isDecided,
        knowsAllBids: project.knows_all_bids,
      }),
      ...words.wordsOf(project.name),
    ],
  }
}

/** As discounts of companies are counted (`wonBy` in server/features/company/project-facts.ts). */
function priceStateOf({ estimate_satang, winner_satang, winner_count, contracted_satang }: NamedProject): PriceState {
  if (estimate_satang === null || estimate_satang <= 0) return 'unpriced'
  const isWhole = contracted_satang === null || contracted_satang === winner_satang
  return winner_count <= 1 && isWhole ? 'priced' : 'unclear'
}
