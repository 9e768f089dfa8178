import type { SimilarPrices } from '#contract/project-detail.ts'
import type { Db } from '#server/db/db.ts'
import { discountFigures, type Priced } from './discounts.ts'
import { isAlike } from './likeness.ts'
import { nameWords } from './name-words.ts'
import { sizeAround, sizeOf } from './project-size.ts'
import {
  type ComparedProject,
  type DecidedProject,
  type DecidedSearch,
  findDecided,
  loadWinners,
} from './queries-similar.ts'
import { type Scope, scopesAround, scopeText } from './similar-scopes.ts'

/** From so many on a distribution says something. */
const ENOUGH = 10
/** Of more than so many the latest are taken: prices of years ago say less, and the answer stays quick. */
const MOST_CANDIDATES = 2_000

type Asked = {
  readonly project: ComparedProject
  readonly words: readonly number[]
  readonly satang: number | undefined
}

/** D20 over decided projects that resemble this one: the narrowest circle that holds enough of them, else the widest. */
export async function similarPrices(db: Db, project: ComparedProject): Promise<SimilarPrices> {
  const asked = { project, words: nameWords().wordsOf(project.name), satang: sizeOf(project) }
  const { scope, priced } = await narrowest(db, asked)
  const unpriced = await findSimilar(db, asked, scope, 'unpriced')
  const winners = await loadWinners(
    db,
    priced.map(({ project_id }) => project_id),
  )
  const days = priced.flatMap(({ decided_on }) => decided_on ?? []).sort()
  return {
    scope: scopeText(scope, project, { size: sizeAround(asked.satang, scope.factor), days }),
    without_reference: unpriced.length,
    ...discountFigures(
      priced.map(
        ({ project_id, estimate_satang, winner_satang }): Priced => ({
          estimate: estimate_satang!,
          won: winner_satang,
          winner: winners.get(project_id),
        }),
      ),
    ),
    from_date: days[0] ?? null,
    to_date: days.at(-1) ?? null,
  }
}

async function narrowest(db: Db, asked: Asked): Promise<{ scope: Scope; priced: readonly DecidedProject[] }> {
  const scopes = scopesAround(asked.project).filter(({ isAlike: alike }) => !alike || asked.words.length > 0)
  for (const scope of scopes) {
    const priced = await findSimilar(db, asked, scope, 'priced')
    if (priced.length >= ENOUGH || scope === scopes.at(-1)) return { scope, priced }
  }
  throw new Error('no scope around a project')
}

async function findSimilar(
  db: Db,
  { project, words, satang }: Asked,
  scope: Scope,
  which: 'priced' | 'unpriced',
): Promise<readonly DecidedProject[]> {
  const search: DecidedSearch = {
    // A name that is alike speaks of what this one speaks of first.
    tokens: scope.isAlike ? [scope.tokens[which], words[0]!] : [scope.tokens[which]],
    sizes: sizeAround(satang, scope.factor),
    except: project.project_id,
    isSampleOnly: project.isSampleOnly === true,
    most: MOST_CANDIDATES,
  }
  const decided = await findDecided(db, search)
  if (!scope.isAlike) return decided
  const { weightOf } = nameWords()
  return decided.filter(({ tokens }) =>
    isAlike(
      words,
      tokens.filter((token) => token < 0),
      weightOf,
    ),
  )
}
