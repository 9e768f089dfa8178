import { isCancelledProjectStatus } from '#contract/catalogue/project.ts'
import {
  type DerivationProject,
  type DerivationStep,
  runDerivationSteps,
  sumContractAmounts,
} from '#server/catalogue/feed/written-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { mapInTimeSlices } from '#server/platform/engine/process-in-batches.ts'
import { createNameWordExtractor, type NameWordExtractor, PROJECT_TRAITS_VERSION } from './name-word-extractor.ts'
import {
  findDataLoadsWithoutProjectTraits,
  markProjectTraitsWritten,
  type ProjectTraitRow,
  saveProjectTraits,
} from './similar-project-queries.ts'
import {
  getProcurementMethodGroup,
  getProjectSizeSatang,
  type ProjectPriceQuality,
  toAgencyKey,
  toTraitTokens,
} from './trait-tokens.ts'

export async function createProjectTraitsDerivationStep(
  db: Db,
  words: NameWordExtractor = createNameWordExtractor(),
): Promise<DerivationStep> {
  return {
    loads: await findDataLoadsWithoutProjectTraits(db, PROJECT_TRAITS_VERSION),
    async prepare(projects) {
      const traits = await mapInTimeSlices(projects, (project) => deriveProjectTraits(words, project))
      return (tx = db) => saveProjectTraits(tx, traits)
    },
    onLoad: (loadId) => markProjectTraitsWritten(db, loadId, PROJECT_TRAITS_VERSION),
  }
}

/**
 * Writes traits outside the publishing transaction, so reports never wait for it. If interrupted, the next call resumes
 * with the same load. Returns the number of processed projects.
 */
export const writeProjectTraits = async (
  db: Db,
  onProgress?: (done: number, total: number) => void,
  words?: NameWordExtractor,
): Promise<number> => await runDerivationSteps(db, [await createProjectTraitsDerivationStep(db, words)], onProgress)

export async function areProjectTraitsComplete(db: Db): Promise<boolean> {
  return (await findDataLoadsWithoutProjectTraits(db, PROJECT_TRAITS_VERSION)).length === 0
}

/**
 * Derives the traits of a project. It is decided if it has a winning price that was not revoked. After a winner was
 * cancelled, the price counts only if a contract exists.
 */
function deriveProjectTraits(words: NameWordExtractor, project: DerivationProject): ProjectTraitRow {
  const { estimate_satang, winner_satang, contracts, bidders } = project
  const isRevoked =
    isCancelledProjectStatus(project.status) || (project.movement === 'winner_cancelled' && contracts.length === 0)
  const isDecided = winner_satang !== null && winner_satang > 0 && !isRevoked
  const decidedOn =
    project.winner_announced_on ??
    project.contract_signed_on ??
    project.bidding_invited_on ??
    (project.is_movement_undated ? null : project.movement_on)
  const size = getProjectSizeSatang(project) ?? null
  return {
    project_id: project.project_id,
    size_satang: size,
    estimate_satang: isDecided ? estimate_satang : null,
    winner_satang: isDecided ? winner_satang : null,
    decided_on: isDecided ? decidedOn : null,
    tokens: [
      ...toTraitTokens({
        departmentId: project.department_id,
        agency: toAgencyKey(project.dept_name, project.dept_province),
        kind: {
          methodType: project.method_type,
          methodGroup: getProcurementMethodGroup(project.method),
          price: priceStateOf(project),
        },
        sizeSatang: size,
        isDecided,
        areAllBidsKnown: bidders.length > 0 && bidders.every(({ price_satang }) => price_satang !== null),
      }),
      ...words.wordsOf(project.name),
    ],
  }
}

/** Same rule as company discounts (`wonBy` in server/market/company/project-facts.ts). */
function priceStateOf({
  estimate_satang,
  winner_satang,
  winner_count,
  contracts,
}: DerivationProject): ProjectPriceQuality {
  if (estimate_satang === null || estimate_satang <= 0) return 'unpriced'
  const contracted = sumContractAmounts(contracts)
  const isWhole = contracted === null || contracted === winner_satang
  return winner_count <= 1 && isWhole ? 'priced' : 'unclear'
}
