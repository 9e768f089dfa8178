import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { SemanticSearchMatch } from '#contract/search/deep-search.ts'
import { LATEST_DATA_LOAD_ID_SQL } from '#server/matching/latest-loads.ts'
import { PROJECT_MATCH_JOB_TYPE } from '#server/matching/match-requests.ts'
import { createTitleRanker } from '#server/matching/meaning/create-title-ranker.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { SharedResultCache } from '#server/platform/route/shared-result-cache.ts'
import type { ReportScope } from '#server/report/report-queries.ts'
import { selectFirst } from '#server/report/select-first.ts'
import {
  expandSemanticSearch,
  getSemanticSearchSubstrings,
  type SemanticSearchSubstrings,
} from './expand-semantic-search.ts'
import type { SemanticSearchHits, SemanticSearchResults, SemanticSearchScore } from './semantic-search-hits.ts'

const anyOf = (needles: readonly string[]): Sql =>
  needles.length === 0
    ? sql`false`
    : sql`(${join(
        needles.map((needle) => sql`strpos(t.name_search, ${needle}::text) > 0`),
        ' or ',
      )})`

/**
 * Size of a slice on the embedded database, about 30 ms: it has a single session, so a longer statement would block
 * everyone else.
 */
const ROWS_PER_SLICE = 2_000

export type SemanticSearchCandidate = { readonly project_id: string; readonly name_search: string }

/**
 * Loads the active and archived matches whose name may be a hit, by a substring test without word boundaries. PostgreSQL
 * reads all 739,051 matches of a year in a third of the time of slices, because it scans the texts once instead of
 * looking up each text.
 */
export async function loadSemanticSearchCandidates(
  db: Db,
  organisationId: number,
  { standalone, sides }: SemanticSearchSubstrings,
): Promise<SemanticSearchCandidate[]> {
  const together = sides.length === 0 ? sql`false` : sql`(${join(sides.map(anyOf), ' and ')})`
  const borders = db.engine === 'postgres' ? [] : await loadSliceBorders(db, organisationId)
  const candidates: SemanticSearchCandidate[] = []
  let lowerBound = empty
  for (const border of [...borders, undefined]) {
    const upTo = border === undefined ? empty : sql`and m.project_id <= ${border.project_id}`
    const slice = await db.query<SemanticSearchCandidate>(sql`
      select m.project_id, t.name_search from project_matches m join project_texts t on t.filters_id = m.filters_id
      where m.organisation_id = ${organisationId}::int ${lowerBound} ${upTo} and (${anyOf(standalone)} or ${together})`)
    for (const candidate of slice) candidates.push(candidate)
    if (border !== undefined) lowerBound = sql`and m.project_id > ${border.project_id}`
    await yieldToEventLoop()
  }
  return candidates
}

function loadSliceBorders(db: Db, organisationId: number): Promise<{ project_id: string }[]> {
  return db.query<{ project_id: string }>(sql`
    select n.project_id from (
      select m.project_id, row_number() over (order by m.project_id) as place
      from project_matches m where m.organisation_id = ${organisationId}::int
    ) n where n.place % ${ROWS_PER_SLICE}::int = 0 order by n.project_id`)
}

type OrganisationMatchState = {
  /**
   * Changes whenever the organisation's matches may have changed: after a load, a rule change or a finished rematch.
   */
  readonly version: string
  readonly isMatching: boolean
}

async function loadOrganisationMatchState(db: Db, organisationId: number): Promise<OrganisationMatchState> {
  const [row] = await db.query<OrganisationMatchState>(sql`
    select
      concat_ws(' ', ${LATEST_DATA_LOAD_ID_SQL}, o.rules_version, count(j.id) filter (where j.state = 'done')) as version,
      coalesce(bool_or(j.state in ('waiting', 'running')), false) as "isMatching"
    from organisations o left join jobs j on j.kind = ${PROJECT_MATCH_JOB_TYPE.kind} and j.key = o.id::text
    where o.id = ${organisationId}::int group by o.id`)
  return row ?? { version: '', isMatching: false }
}

/**
 * Maximum number of hits to rank, because ranking a title takes 50 µs. The hits after that, which begin after the first
 * twenty pages, stay in term order.
 */
const MAX_RANKED_HITS = 1_000
/** Names to test before yielding to the event loop: about 5 ms of work. */
const NAMES_PER_SLICE = 250
const RANKED_PER_SLICE = 100
const OTHERS_PER_SLICE = 10_000
/**
 * Longest time for which hits are cached. A page, its facets and the next page all need the same hits, colleagues open shared
 * links, and recomputing takes 0.2 s.
 */
const CACHE_MS = 30 * 60_000
const CACHE_WHILE_MATCHING_MS = 60_000
/** Enough for `ซื้อ` in a year, 650,000 hits. */
const MAX_CACHE_BYTES = 64_000_000
/** Measured 62 to 83. */
const BYTES_PER_HIT = 80
/** Key and map of a search that finds nothing. */
const MIN_HITS_BYTES = 500

const hitCaches = new WeakMap<Db, SharedResultCache<SemanticSearchHits>>()

/** Names to search, and a version that changes whenever they may have changed. */
export type SemanticSearchSource = {
  readonly version: string
  readonly find: (needles: SemanticSearchSubstrings) => Promise<readonly SemanticSearchCandidate[]>
}

/** Adds the hits of all `ai_deep_search__in` values to the scope. Call before building conditions and orders. */
export async function addSemanticSearchHits(
  db: Db,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  memory?: SemanticSearchSource,
): Promise<ReportScope> {
  const sentences = new Set(searches.flatMap((search) => search.ai_deep_search__in ?? []))
  if (sentences.size === 0) return scope
  const { organisationId } = scope
  const source = memory ?? (await openDatabaseSource(db, organisationId))
  const results = new Map<string, SemanticSearchHits>()
  for (const sentence of sentences) results.set(sentence, await loadHits(db, organisationId, source, sentence))
  return { ...scope, deep: results satisfies SemanticSearchResults }
}

async function openDatabaseSource(db: Db, organisationId: number): Promise<SemanticSearchSource> {
  const { version, isMatching } = await loadOrganisationMatchState(db, organisationId)
  const period = Math.floor(performance.now() / (isMatching ? CACHE_WHILE_MATCHING_MS : CACHE_MS))
  return {
    version: JSON.stringify([version, isMatching, period]),
    find: (needles) => loadSemanticSearchCandidates(db, organisationId, needles),
  }
}

function loadHits(
  db: Db,
  organisationId: number,
  { version, find }: SemanticSearchSource,
  sentence: string,
): Promise<SemanticSearchHits> {
  const bytesOf = ({ size }: SemanticSearchHits) => MIN_HITS_BYTES + size * BYTES_PER_HIT
  const cache = hitCaches.get(db) ?? new SharedResultCache({ maxBytes: MAX_CACHE_BYTES, bytesOf })
  hitCaches.set(db, cache)
  const key = JSON.stringify([organisationId, version, sentence])
  return cache.get(key) ?? cache.add(key, findHits(find, sentence))
}

type NameHit = SemanticSearchCandidate & { readonly match: SemanticSearchMatch }

async function findHits(find: SemanticSearchSource['find'], sentence: string): Promise<SemanticSearchHits> {
  const { terms } = await expandSemanticSearch(sentence)
  return rankSemanticSearchHits(sentence, await find(getSemanticSearchSubstrings(terms)))
}

export async function rankSemanticSearchHits(
  sentence: string,
  candidates: readonly SemanticSearchCandidate[],
): Promise<SemanticSearchHits> {
  const { match } = await expandSemanticSearch(sentence)
  const nameHits: NameHit[] = []
  for (const slice of splitIntoSlices(candidates, NAMES_PER_SLICE)) {
    for (const { project_id, name_search } of slice) {
      const nameMatch = match(name_search)
      if (nameMatch) nameHits.push({ project_id, name_search, match: nameMatch })
    }
    await yieldToEventLoop()
  }
  return scoreHits(sentence, nameHits)
}

/** Sorts by similarity, newest first among equals. */
function byRank(a: NameHit, b: NameHit): number {
  if (a.match.similarity !== b.match.similarity) return b.match.similarity - a.match.similarity
  return Number(b.project_id > a.project_id) - Number(b.project_id < a.project_id)
}

/**
 * Splits the hits into the first `MAX_RANKED_HITS` and the others, both in any order: sorting all 650,000 hits of `ซื้อ`
 * takes 1.8 s.
 */
function splitByRank(nameHits: readonly NameHit[]): { readonly ranked: NameHit[]; readonly others: NameHit[] } {
  const count = Math.min(MAX_RANKED_HITS, nameHits.length)
  const order = (a: number, b: number) => byRank(nameHits[a]!, nameHits[b]!)
  const first = new Set(selectFirst(Int32Array.from(nameHits.keys()), count, order))
  return {
    ranked: Array.from(first, (at) => nameHits[at]!),
    others: nameHits.filter((_, at) => !first.has(at)),
  }
}

async function scoreHits(sentence: string, nameHits: readonly NameHit[]): Promise<SemanticSearchHits> {
  const hits = new Map<string, SemanticSearchScore>()
  let lowest = 1
  const rank = await createTitleRanker(sentence, yieldToEventLoop)
  const { ranked, others } = splitByRank(nameHits)
  for (const slice of splitIntoSlices(ranked, RANKED_PER_SLICE)) {
    for (const { project_id, name_search, match } of slice) {
      const score = rounded(rank(name_search).score)
      lowest = Math.min(lowest, score)
      hits.set(project_id, { score, phrases: match.terms })
    }
    await yieldToEventLoop()
  }
  const otherScores = new Map<SemanticSearchMatch, SemanticSearchScore>()
  for (const slice of splitIntoSlices(others, OTHERS_PER_SLICE)) {
    for (const { project_id, match } of slice) {
      const score = otherScores.get(match) ?? {
        score: Math.min(lowest, rounded(match.similarity)),
        phrases: match.terms,
      }
      otherScores.set(match, score)
      hits.set(project_id, score)
    }
    await yieldToEventLoop()
  }
  return hits
}

/** Rounds to two decimals, so that near ties are sorted newest first. */
const rounded = (score: number) => Math.round(score * 100) / 100
