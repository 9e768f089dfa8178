import { USAGE_LOG_PARAMS } from '#contract/account/usage-log.ts'
import { BID_STATES } from '#contract/catalogue/bid-state.ts'
import { AWARD_CRITERIA, PROJECT_STATUSES } from '#contract/catalogue/project.ts'
import { REPORT_SORT_FIELDS } from '#contract/catalogue/report-columns.ts'
import { COMPARABLE_PRICE_SCOPES } from '#contract/catalogue/similar-prices.ts'
import { parseQueryParams, type QueryParam } from '#contract/http/query-params.ts'
import { AGENCY_PARAMS } from '#contract/market/agency-params.ts'
import { BUDGET_PARAMS } from '#contract/market/budget-params.ts'
import { COMPANY_PARAMS } from '#contract/market/company-params.ts'
import { type FirstListProofRequest, type FirstListRequest, MAX_FIRST_LIST_WORDS } from '#contract/market/first-list.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import { MAX_KEYWORDS_PER_REQUEST } from '#contract/matching/keyword.ts'
import type { AddKeywordsRequest, KeywordPreviewRequest } from '#contract/matching/keyword-requests.ts'
import { MAX_TERMS_PER_KEYWORD } from '#contract/matching/keyword-term.ts'
import { type DraftKeywordTrainingRequest, MAX_KEYWORD_TRAINING_ANSWERS } from '#contract/matching/keyword-training.ts'
import type { KeywordTermEvidenceRequest } from '#contract/matching/term-evidence.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import { MAX_AGENCY_TEXT_LENGTH } from '#contract/report/report.ts'
import { isReportParam, parseReportSearch, REPORT_PARAMS } from '#contract/report/report-params.ts'
import { COMPANY_RANKINGS, REPORT_VIEWS } from '#contract/report/report-view.ts'
import { SEMANTIC_SEARCH_LIMITS } from '#contract/search/deep-search.ts'
import { SEARCH_LIMITS } from '#contract/search/search-grammar.ts'
import { CALENDAR_SOURCE_PARAMS } from '#contract/team/calendar-params.ts'
import { TEAM_RESULT_ROWS_PARAMS } from '#contract/team/team-results.ts'
import { PROVINCES } from '#contract/thai/province.ts'

/**
 * A request as expensive as one parameter can make it. `path` excludes the API prefix. `name` is the parameter, or the
 * expensive part of a body; it is empty for a request without parameters. A request with a `body` is a POST.
 */
export type HeavyRequest = {
  readonly path: string
  readonly name: string
  readonly value: string
  readonly body?: object
}

type Param = { readonly name: string; readonly kind: string; readonly of?: readonly string[] }
type Catalogue = { readonly params: readonly Param[]; readonly accepts: (name: string, value: string) => boolean }

const MAX_VALUES = 200
const flat = (params: readonly QueryParam[]): Catalogue => ({
  params,
  accepts: (name, value) => parseQueryParams(params, { [name]: value }).ignored.length === 0,
})
const REPORT: Catalogue = {
  params: REPORT_PARAMS,
  accepts: (name, value) => isReportParam(name) && parseReportSearch({ [name]: value }).ignored.length === 0,
}
/** Parameter catalogues by route prefix. */
const CATALOGUES: readonly (readonly [path: RegExp, catalogue: Catalogue])[] = [
  [/^\/(projects|contract-ends|who-wins|pursuits|calendar)(\/|$)/, REPORT],
  [/^\/calendar$/, flat(CALENDAR_SOURCE_PARAMS)],
  [/^\/agencies\//, flat(AGENCY_PARAMS)],
  [/^\/results(\/|$)/, flat(TEAM_RESULT_ROWS_PARAMS)],
  [/^\/(companies|company-)/, flat(COMPANY_PARAMS)],
  [/^\/budgets(\/|$)/, flat(BUDGET_PARAMS)],
  [/^\/organisations\/me\/logs/, flat(USAGE_LOG_PARAMS)],
]

const WORDS = ['กล้องวงจรปิด', 'ปรับปรุงถนน', 'เครื่องปรับอากาศ', 'ระบบคอมพิวเตอร์', 'ครุภัณฑ์การแพทย์', 'โซลาร์เซลล์', 'ก่อสร้างอาคาร']
const CHOICES = [
  ...PROVINCES.map(({ th }) => th),
  ...[...PROJECT_STATUSES, ...AWARD_CRITERIA, ...BID_STATES, ...ELIGIBILITY_VERDICTS].map(({ code }) => code),
]
const TEXTS = ['new', 'updated', 'no_change', '1', '12']
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
/** Returns `count` texts of `length` characters that differ at both ends, so that none contains another. */
const texts = (count: number, length: number) =>
  times(count, (at) => `${at}ก`.padEnd(length, WORDS[at % WORDS.length]).slice(0, length))
const deep = texts(SEMANTIC_SEARCH_LIMITS.values, SEMANTIC_SEARCH_LIMITS.characters).map((_, at) =>
  times(20, (n) => WORDS[(at + n) % WORDS.length])
    .join(' ')
    .slice(0, SEMANTIC_SEARCH_LIMITS.characters),
)
const TERMS: readonly ((at: number) => string)[] = [
  (at) => `${'กขคงจฉช'[at % 7]}${'ดตถทธนบ'[at % 5]}ฬฮ${at + 10}`,
  (at) => `${String.fromCharCode(97 + (at % 26))}${at % 10}`,
  (at) => `"${WORDS[at % WORDS.length]!.slice(0, 6)} ${at}"`,
]

/** Candidate values per kind, heaviest first; only those that the catalogue accepts are sent. */
const TRIED: Readonly<Record<string, readonly string[]>> = {
  flag: ['true'],
  expression: [
    // Searches over all texts of a project refuse the longer expressions, so shorter ones follow.
    ...TERMS.map((make) => times(SEARCH_LIMITS.terms, make).join('||')),
    ...TERMS.map((make) => times(SEARCH_LIMITS.termsEverywhere, make).join('||')),
    // Document searches refuse the short terms above, so this expression uses words that are on every page.
    times(SEARCH_LIMITS.termsEverywhere, (at) => WORDS[at % WORDS.length]!.slice(Math.floor(at / WORDS.length))).join(
      '##',
    ),
  ],
  ids: [
    texts(MAX_VALUES, 32)
      .map((_, at) => String(67_110_000_000 + at).padStart(32, '0'))
      .join('||'),
  ],
  sentences: [deep.join('||')],
  list: [texts(MAX_VALUES, 500).join('||'), texts(MAX_VALUES, 200).join('||')],
  money: ['0,10000000000000'],
  dates: ['@-9999,@9999', '2001-01-01,2050-12-31'],
  ordering: [FIT_ORDERING, ...REPORT_SORT_FIELDS.flatMap((field) => [field, `-${field}`])],
  count: ['2147483647', '100000', '730', '100'],
  size: ['100', '50'],
  text: [texts(1, 500)[0]!, texts(1, 200)[0]!, ...[...REPORT_VIEWS, ...COMPANY_RANKINGS].map(({ code }) => code)],
  year: ['2500', '2599'],
  percent: ['50'],
}

function valuesOf({ params, accepts }: Catalogue, { name, kind, of }: Param): string[] {
  const closed = [...(of ?? []), ...CHOICES, ...TEXTS].filter((value) => accepts(name, value)).slice(0, MAX_VALUES)
  const tried =
    kind === 'list' ? [...TRIED.list!, closed.join('||'), NUMBERS] : kind === 'choice' ? (of ?? []) : TRIED[kind]
  if (tried === undefined) throw new Error(`no heavy value for the kind ${kind} of ${params.length} parameters`)
  const taken = tried.filter((value) => value !== '' && accepts(name, value))
  if (kind === 'count' && name === 'page_size') taken.push('100')
  if (taken.length === 0) throw new Error(`no heavy value is accepted for ${name}`)
  // For lists the longest accepted value is enough; expressions need one value of each kind.
  return kind === 'list' ? taken.slice(0, 1) : kind === 'expression' ? taken.slice(0, TERMS.length) : taken
}

const NUMBERS = Array.from({ length: MAX_VALUES }, (_, at) => String(at + 1)).join('||')

const typed = (length: number) => [texts(1, length)[0]!, 'ก', 'กา']

/** Parameters of costly routes that no parameter catalogue contains. */
const OUTSIDE: readonly (readonly [path: RegExp, values: Readonly<Record<string, readonly string[]>>])[] = [
  [/^\/departments$/, { q: typed(300), ministry: typed(300), department: typed(300) }],
  [/^\/company-suggestions$/, { q: typed(300) }],
  [/^\/coverage\/misses$/, { day: ['2026-11-23'], followed: ['true'] }],
  [/^\/projects\/agencies$/, { q: typed(MAX_AGENCY_TEXT_LENGTH) }],
  [
    /^\/organisations\/me\/hidden$/,
    {
      days: ['all'],
      list: ['exclude', 'ai_exclude'],
      keyword: typed(4_000),
      word: typed(4_000),
      rescued: ['true'],
      page: ['999999'],
      page_size: ['999999'],
    },
  ],
  [/^\/projects\/\d+$/, { ahead: typed(300) }],
  [/^\/projects\/\d+\/similar-prices$/, { step: COMPARABLE_PRICE_SCOPES }],
  [
    /^\/pursuits$/,
    {
      stage: [times(10, (at) => `stage-${at}`.padEnd(40, '0')).join(',')],
      owner: ['none', ['none', ...times(99, (at) => String(at + 1))].join(',')],
      due_within: ['999'],
    },
  ],
  [/^\/project-looks$/, { ids: [times(100, (at) => String(67_110_000_000 + at)).join(',')] }],
  [/^\/company-files\/company$/, { name: ['บริษัท ผู้ขาย 1 จำกัด'] }],
  [/^\/documents\/[^/]+\/comparison$/, { before: ['1'] }],
  [
    /^\/documents(\/|$)/,
    {
      project: ['67110000001'],
      q: [times(30, (at) => `${WORDS[at % WORDS.length]!.slice(0, 8)}${at}`).join('||'), WORDS.join('##')],
    },
  ],
]

/** Bodies of `POST /organisations/me/keywords/preview`: one per list at its heaviest, and one with all lists. */
const PREVIEW = '/organisations/me/keywords/preview'
function heavyPreviews(): HeavyRequest[] {
  const expressions = times(60, (at) =>
    times(30, (n) => `${WORDS[(at + n) % WORDS.length]!.slice(0, 5)}${at}${n}`).join('||'),
  )
  const words = times(20, (at) => ({
    word: `${WORDS[at % WORDS.length]} ${WORDS[(at + 1) % WORDS.length]}`,
    terms: times(60, (n) => `${WORDS[n % WORDS.length]} ${at} ${n}`),
  }))
  const automatic = words.map(({ word }, at) => ({ word: `${word} ${WORDS[(at + 2) % WORDS.length]}` }))
  const lists: Readonly<Record<string, KeywordPreviewRequest['add']>> = {
    include: { include: expressions },
    exclude: { exclude: expressions },
    deptsub_include: { deptsub_include: texts(200, 190) },
    ai_include: { ai_include: words },
    'ai_include by itself': { ai_include: automatic },
    ai_exclude: { ai_exclude: words },
    'all lists': {
      include: expressions.slice(0, 20),
      exclude: texts(100, 60),
      ai_include: words.slice(0, 10),
      ai_exclude: automatic,
    },
  }
  return Object.entries(lists).map(([name, add]) => ({
    path: PREVIEW,
    name,
    value: `${JSON.stringify(add).length} characters`,
    body: { add },
  }))
}

/** Returns terms of an AI keyword, as many and as long as a body may contain. */
const longTerms = (count: number) =>
  times(count, (at) => `${WORDS[at % WORDS.length]} ${WORDS[(at + 3) % WORDS.length]} ${at}`)
const WORD = `${WORDS[0]} ${WORDS[1]} ${WORDS[2]}`
const FULL_LIST = times(MAX_KEYWORDS_PER_REQUEST, (at) => ({ word: `${WORDS[at % WORDS.length]} ${at}` }))
const ANSWERS = times(MAX_KEYWORD_TRAINING_ANSWERS, (at) => ({
  project_id: String(67_110_000_000 + at),
  is_wanted: at % 2 === 0,
}))

/** Heavy bodies of the other POST routes that queue for a turn, by path. */
const BODIES: readonly (readonly [path: RegExp, bodies: Readonly<Record<string, object>>])[] = [
  [
    /^\/organisations\/me\/first-list$/,
    { name: { company: texts(1, 300)[0]! }, 'tax id': { company: '0105550000015' } } satisfies Record<
      string,
      FirstListRequest
    >,
  ],
  [
    /^\/organisations\/me\/first-list\/proof$/,
    {
      lists: {
        company_id: 1,
        words: longTerms(MAX_FIRST_LIST_WORDS),
        agencies: texts(MAX_FIRST_LIST_WORDS, 190),
        provinces: null,
        band: { min: 1, max: 1e12 },
      } satisfies FirstListProofRequest,
    },
  ],
  [
    /^\/organisations\/me\/keywords\/check$/,
    {
      include_keywords: { include_keywords: FULL_LIST } satisfies AddKeywordsRequest,
      ai_include_keywords: { ai_include_keywords: FULL_LIST } satisfies AddKeywordsRequest,
    },
  ],
  [/^\/organisations\/me\/keywords\/expand$/, { word: { word: texts(1, 200)[0]! }, known: { word: WORD } }],
  [
    /^\/organisations\/me\/keywords\/evidence$/,
    {
      terms: {
        terms: longTerms(4 * MAX_TERMS_PER_KEYWORD).map((term, at) => ({ term, facet: at % 20, acts: at % 2 === 0 })),
      } satisfies KeywordTermEvidenceRequest,
      short: {
        terms: times(4 * MAX_TERMS_PER_KEYWORD, (at) => ({
          term: WORDS[at % WORDS.length]!.slice(0, 2 + (at % 5)),
          facet: 0,
          acts: true,
        })),
      },
    },
  ],
  [
    /^\/organisations\/me\/keywords\/lesson$/,
    {
      answers: {
        word: WORD,
        approve: longTerms(200),
        reject: [],
        answers: ANSWERS,
      } satisfies DraftKeywordTrainingRequest,
    },
  ],
  [/^\/organisations\/me\/keywords\/\d+\/lesson$/, { answers: { answers: ANSWERS } }],
]

const heavyBodies = (path: string): HeavyRequest[] =>
  BODIES.flatMap(([fits, bodies]) => (fits.test(path) ? Object.entries(bodies) : [])).map(([name, body]) => ({
    path,
    name,
    value: `${JSON.stringify(body).length} characters`,
    body,
  }))

export type PathParts = {
  readonly project: string
  readonly budgetItem: number
  readonly company: string
  readonly agency: string
  readonly keyword: number
  readonly document: number
}

/** Fills in the parameters of a route's path. Tokens and ids of other resources become unknown values. */
export const fillPath = (url: string, { project, budgetItem, company, agency, keyword, document }: PathParts): string =>
  url
    .replace('/keywords/:id', `/keywords/${keyword}`)
    .replace(/^(.*)\/documents\/:id/, (_, before: string) => `${before}/documents/${document}`)
    .replace('/budgets/:id', `/budgets/${budgetItem}`)
    .replace('/agencies/:code', `/agencies/${encodeURIComponent(agency)}`)
    .replace(/:id|:projectId/g, project)
    .replace(':name', encodeURIComponent(company))
    // The wildcard becomes a name with slashes that is as long as a URL may contain.
    .replace('*', times(100, (at) => `${at}ก`).join('/'))
    .replaceAll(/:\w+/g, '1')

/**
 * Returns a request for each parameter of the route at `path` with its heaviest accepted values; new catalogue
 * parameters are included automatically. A route without parameters yields one request.
 */
export function buildHeavyRequests(path: string): HeavyRequest[] {
  if (path === PREVIEW) return heavyPreviews()
  const posted = heavyBodies(path)
  if (posted.length > 0) return posted
  const catalogues = CATALOGUES.flatMap(([fits, catalogue]) => (fits.test(path) ? [catalogue] : []))
  const listed = catalogues.flatMap((catalogue) =>
    catalogue.params.flatMap((param) => valuesOf(catalogue, param).map((value) => ({ path, name: param.name, value }))),
  )
  const outside = OUTSIDE.flatMap(([fits, values]) => (fits.test(path) ? Object.entries(values) : []))
  const questions = [...listed, ...outside.flatMap(([name, values]) => values.map((value) => ({ path, name, value })))]
  return questions.length > 0 ? questions : [{ path, name: '', value: '' }]
}

/** Returns the address of a request without the API prefix. */
export const getRequestUrl = ({ path, name, value, body }: HeavyRequest): string =>
  name === '' || body ? path : `${path}?${new URLSearchParams({ [name]: value })}`
