import { REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import { BENCH_SEARCHES } from '../data/report-searches.ts'
import type { Examples } from './examples.ts'

/** `ซื้อ` by meaning is in nine of ten titles. */
const REPORT_SEARCHES = [...BENCH_SEARCHES, { ai_deep_search__in: 'ซื้อ' }]

/** One request to a route. `path`: relative to the server's base URL, parameters filled in. */
export type Question = {
  readonly route: string
  readonly path: string
  readonly body?: object
  readonly status?: number
  readonly as?: 'operator'
  /** Set when the response is a file whose rows per second are measured. */
  readonly file?: 'csv' | 'xlsx'
}
type QuestionTemplate = Pick<Question, 'body' | 'status' | 'as' | 'file'> & {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

const UNKNOWN: readonly QuestionTemplate[] = [
  { params: { token: 'x', file: 'x.ics', delivery: 'x', id: '0', '*': 'a/b' }, status: 404 },
]
const PLAIN: readonly QuestionTemplate[] = [{}]
const FILES: readonly QuestionTemplate[] = [{ status: 404, params: { '*': 'x.js' } }]
const OPERATOR: readonly QuestionTemplate[] = [{ as: 'operator' }]

const FIXED: Readonly<Record<string, readonly QuestionTemplate[]>> = {
  'GET /livez': PLAIN,
  'GET /readyz': PLAIN,
  'GET /metrics': PLAIN,
  'GET /api/docs': PLAIN,
  'GET /api/docs/json': PLAIN,
  'GET /api/docs/yaml': PLAIN,
  'GET /api/docs/static/*': FILES,
  'GET /api/docs/static/index.html': [{ status: 302 }],
  'GET /api/docs/static/swagger-initializer.js': PLAIN,
  'GET /api/v2/users/me': PLAIN,
  'GET /api/v2/users/me/pulse': PLAIN,
  'GET /api/v2/users/me/report-mail-preview': PLAIN,
  'GET /api/v2/report-mail-preview/:token': UNKNOWN,
  'GET /api/v2/mail-links/unsubscribe/:token': [{ params: { token: 'x' }, status: 303 }],
  'GET /api/v2/auth/not-me/:token': [{ params: { token: 'x' }, status: 400 }],
  'GET /api/v2/users/me/sessions': PLAIN,
  'GET /api/v2/users/me/devices': PLAIN,
  'GET /api/v2/users/me/second-factor': PLAIN,
  'GET /api/v2/users/me/email-change': PLAIN,
  'GET /api/v2/email-changes/:token': [{ params: { token: 'x' }, status: 400 }],
  'GET /api/v2/password/reset/verify/:token': [{ params: { token: 'x' }, status: 400 }],
  'GET /api/v2/invitations/:token': [{ params: { token: 'x' }, status: 400 }],
  'GET /api/v2/organisations/business-types': PLAIN,
  'GET /api/v2/organisations/starter-words': PLAIN,
  'GET /api/v2/organisations/me': PLAIN,
  'GET /api/v2/organisations/me/members': PLAIN,
  'GET /api/v2/organisations/me/logs': [{}, { query: { days: '365' } }],
  'GET /api/v2/organisations/me/logs/export': [{ file: 'xlsx' }],
  'GET /api/v2/organisations/me/api-keys': PLAIN,
  'GET /api/v2/organisations/me/login-domains': PLAIN,
  'GET /api/v2/organisations/me/webhooks': PLAIN,
  'GET /api/v2/organisations/me/webhooks/:id/deliveries': UNKNOWN,
  'GET /api/v2/organisations/me/webhooks/:id/deliveries/:delivery': UNKNOWN,
  'GET /api/v2/organisations/me/keyword-terms': PLAIN,
  'GET /api/v2/organisations/me/keyword-terms/news': PLAIN,
  'GET /api/v2/organisations/me/term-advice': PLAIN,
  'GET /api/v2/organisations/me/matching': PLAIN,
  'GET /api/v2/organisations/me/keyword-stats': PLAIN,
  'GET /api/v2/organisations/me/hidden': [{}, { query: { days: 'all' } }],
  'GET /api/v2/organisations/me/line-groups': PLAIN,
  'POST /api/v2/organisations/me/keywords/check': [{ body: { include_keywords: [{ word: 'กล้อง' }] } }],
  'POST /api/v2/organisations/me/keywords/expand': [{ body: { word: 'กล้อง' } }],
  'POST /api/v2/organisations/me/keywords/evidence': [{ body: { terms: [{ term: 'กล้อง', facet: 0, acts: true }] } }],
  'POST /api/v2/organisations/me/keywords/lesson': [{ body: { word: 'กล้อง', answers: [] } }],
  'POST /api/v2/organisations/me/keywords/preview': [
    { body: { add: { include: ['กล้อง'] } } },
    { body: { add: { exclude: ['จ้าง'] } } },
  ],
  'GET /api/v2/coverage': PLAIN,
  'GET /api/v2/coverage/misses': [{ query: { day: '2026-11-23' } }],
  'GET /api/v2/users/me/follows': PLAIN,
  'GET /api/v2/users/me/channels': PLAIN,
  'GET /api/v2/users/me/line': PLAIN,
  'GET /api/v2/users/me/push': PLAIN,
  'GET /api/v2/users/me/questions': PLAIN,
  'GET /api/v2/document-answers': PLAIN,
  'GET /api/v2/pursuits': PLAIN,
  'GET /api/v2/pursuits/settings': PLAIN,
  'GET /api/v2/qualifications': PLAIN,
  'GET /api/v2/qualifications/coverage': PLAIN,
  'GET /api/v2/report-cards': PLAIN,
  'GET /api/v2/team-marks': PLAIN,
  'GET /api/v2/calendar-feeds': PLAIN,
  'GET /api/v2/calendars/:file': UNKNOWN,
  'GET /api/v2/projects/exports': PLAIN,
  'GET /api/v2/projects/saved-filter-counts': PLAIN,
  'GET /api/v2/projects/saved-filter-recall': PLAIN,
  'GET /api/v2/company-winners': PLAIN,
  'GET /api/v2/results': [{}, { query: { all: 'true' } }],
  'GET /api/v2/results/rows': [{ query: { all: 'true', rows: 'pursued' } }, { query: { all: 'true', rows: 'won' } }],
  'GET /api/v2/results/file': [{ query: { all: 'true' }, file: 'xlsx' }],
  'GET /api/v2/budgets/years': PLAIN,
  'GET /api/v2/operation/sources': OPERATOR,
  'GET /api/v2/operation/sources/:source/gaps': [{ params: { source: 'egp-rss' }, as: 'operator' }],
  'GET /api/v2/operation/loads': OPERATOR,
  'GET /api/v2/operation/loads/:id/rows': [{ params: { id: '1' }, as: 'operator' }],
  'GET /api/v2/operation/organisations': OPERATOR,
  'GET /api/v2/operation/overview': OPERATOR,
  'GET /api/v2/operation/metrics': OPERATOR,
  'GET /api/v2/operation/channels': OPERATOR,
  'GET /api/v2/operation/jobs': OPERATOR,
  'GET /api/v2/operation/keywords': OPERATOR,
  'GET /api/v2/operation/documents': OPERATOR,
  'GET /api/v2/operation/documents/:fact/next': [{ params: { fact: 'budget' }, as: 'operator' }],
  'GET /api/v2/operation/documents/files/:hash': [{ params: { hash: 'ab'.repeat(32) }, as: 'operator', status: 404 }],
}

/** Additional filters for the queries of ใครชนะ and contract end dates. */
const NARROWER = [
  {},
  { project_name__in: 'กล้อง' },
  { project_search__in: 'คอมพิวเตอร์' },
  { project_province__in: 'เชียงใหม่' },
  { project_method__in: 'e_bidding', project_budget__range: '1000000,' },
]
const queries = (
  list: readonly Readonly<Record<string, string>>[],
  more: Pick<QuestionTemplate, 'file'> = {},
): QuestionTemplate[] => list.map((query) => ({ query, ...more }))

/** Repeats each query for delivered work, which contains a year of contracts. */
const bothTabs = (list: readonly Readonly<Record<string, string>>[]) => [
  ...list,
  ...list.flatMap((query) => ('is_archived' in query ? [] : [{ ...query, is_archived: 'true' }])),
]

function aboutExamples(x: Examples): Readonly<Record<string, readonly QuestionTemplate[]>> {
  const { project } = x
  const ofProject = [project, ...x.projects].map((id): QuestionTemplate => ({ params: { id } }))
  const winners = x.companies.slice(0, 5).map(({ tin, name }) => tin ?? name)
  const comparison = { project_winner_name__in: winners.join('||') }
  const [first, second] = x.companies.map(({ id }) => String(id)) as [string, string]
  const meeting = { a: first, b: second, result: 'met' }
  const ofCompanies = (
    query: Readonly<Record<string, string>> = {},
    more: Pick<QuestionTemplate, 'file'> = {},
  ): QuestionTemplate[] =>
    x.companies.map(({ name, tin }) => ({ params: { name }, query: { ...(tin && { tin }), ...query }, ...more }))
  const ofAgencies = (
    list: readonly Readonly<Record<string, string>>[],
    more: Pick<QuestionTemplate, 'file'> = {},
  ): QuestionTemplate[] => x.agencies.flatMap((code) => list.map((query) => ({ params: { code }, query, ...more })))
  return {
    'POST /api/v2/organisations/me/first-list': winners.map((company) => ({ body: { company } })),
    'POST /api/v2/organisations/me/first-list/proof': x.companies.slice(0, 2).map(({ id }) => ({
      body: {
        company_id: id,
        words: ['กล้องวงจรปิด', 'เครื่องคอมพิวเตอร์', 'ก่อสร้างถนน'],
        agencies: [],
        provinces: null,
        band: { min: null, max: null },
      },
    })),
    'GET /api/v2/projects': queries(bothTabs(REPORT_SEARCHES)),
    'GET /api/v2/projects/facets': queries(bothTabs(REPORT_SEARCHES)),
    'GET /api/v2/projects/agencies': queries([
      ...bothTabs(NARROWER),
      { q: 'กรม' },
      { q: 'เทศบาล', project_agency__in: 'กรมทางหลวง' },
    ]),
    'GET /api/v2/projects/ids': queries(bothTabs(NARROWER)),
    'GET /api/v2/projects/queue': queries(bothTabs(NARROWER)),
    'GET /api/v2/projects/suggestions': queries([{ project_search__in: 'กล้อง' }, { project_search__in: 'กรมทาง' }]),
    'GET /api/v2/projects/exports/:id': [{ params: { id: x.export } }],
    'GET /api/v2/projects/exports/:id/file': [{ params: { id: x.export }, file: 'csv' }],
    'GET /api/v2/projects/:id': ofProject,
    'GET /api/v2/projects/:id/why': ofProject,
    'GET /api/v2/coverage/projects/:id': ofProject,
    'GET /api/v2/projects/:id/linked': ofProject,
    'GET /api/v2/projects/:id/documents': ofProject,
    'GET /api/v2/projects/:id/word-passages': ofProject,
    'GET /api/v2/projects/:id/similar-prices': ofProject,
    'GET /api/v2/documents': [{ query: { q: 'กล้อง' } }],
    'GET /api/v2/documents/:id': [{ params: { id: x.document } }],
    'GET /api/v2/documents/:id/hits': [{ params: { id: x.document }, query: { q: 'กล้อง' } }],
    'GET /api/v2/documents/:id/comparison': [
      { params: { id: x.document }, query: { before: x.document }, status: 400 },
    ],
    'GET /api/v2/documents/:id/requirements': [{ params: { id: x.document } }],
    'GET /api/v2/documents/:id/file': [{ params: { id: x.document } }],
    'GET /api/v2/pursuits/:id': [{ params: { id: x.pursued } }],
    'GET /api/v2/projects/:id/draft-observations': [{ params: { id: x.pursued } }],
    'GET /api/v2/pursuits/:id/files/:file': [{ params: { id: x.pursued, file: 'x' }, status: 404 }],
    'GET /api/v2/project-looks': [{ query: { ids: x.projects.join(',') } }],
    'GET /api/v2/organisations/me/keywords/:id/lesson': [
      x.aiKeyword === null ? { params: { id: '0' }, status: 404 } : { params: { id: x.aiKeyword } },
    ],
    'GET /api/v2/calendar': queries([{}, { saved: x.filter }]),
    'GET /api/v2/filter-feeds/:file': [{ params: { file: x.feed }, file: 'csv' }],
    'GET /api/v2/short-links/:code': [{ params: { code: x.shortLink } }],
    'GET /api/v2/departments': queries([
      {},
      { q: 'เทศบาล' },
      { ministry: x.ministry },
      { ministry: x.ministry, department: x.department },
    ]),
    'GET /api/v2/contract-ends': queries([...NARROWER, { ends_within: '730' }]),
    'GET /api/v2/companies': queries([
      {},
      { scope: 'watch' },
      { ordering: '-wins' },
      { ordering: 'median_discount', project_method__in: 'e_bidding' },
      { project_winner_name__in: 'ก่อสร้าง' },
      { project_province__in: 'เชียงใหม่', page: '5' },
      { project_dept_sub__in: 'กรมทางหลวง' },
      { met: 'true' },
    ]),
    'GET /api/v2/companies/:name': [...ofCompanies(), ...ofCompanies({ scope: 'watch' })],
    'GET /api/v2/companies/:name/projects': ofCompanies(),
    'GET /api/v2/companies/:name/timeline': ofCompanies(),
    'GET /api/v2/companies/*': [{ params: { '*': 'ก/ข' }, status: 404 }],
    'GET /api/v2/company-files/list': queries([{}, { scope: 'watch' }], { file: 'xlsx' }),
    'GET /api/v2/company-files/company': x.companies.map(({ name, tin }) => ({
      query: { name, ...(tin && { tin }) },
      file: 'xlsx',
    })),
    'GET /api/v2/company-suggestions': queries([{ q: 'ก่อสร้าง' }, { q: 'ก' }, { q: '0105' }]),
    'GET /api/v2/company-comparison': queries([comparison, { ...comparison, scope: 'watch' }]),
    'GET /api/v2/company-comparison/projects': queries([{ ...comparison, ...meeting }]),
    'GET /api/v2/company-comparison/pairs': queries([comparison]),
    'GET /api/v2/company-comparison/likely/:projectId': [{ params: { projectId: project } }],
    'GET /api/v2/company-comparison/file': queries([comparison], { file: 'xlsx' }),
    'GET /api/v2/agencies/:code': ofAgencies([{}, { scope: 'watch' }, { year_from: '2568' }]),
    'GET /api/v2/agencies/:code/projects': ofAgencies([{}, { rows: 'matches' }, { rows: 'group:' }, { rows: 'won' }]),
    'GET /api/v2/agencies/:code/signs': ofAgencies([{}, { scope: 'watch' }]),
    'GET /api/v2/agencies/:code/file': ofAgencies([{}], { file: 'xlsx' }),
    'GET /api/v2/who-wins': queries([...NARROWER, ...NARROWER.map((query) => ({ ...query, market: 'true' }))]),
    'GET /api/v2/who-wins/signs': queries([...NARROWER, { market: 'true' }]),
    'GET /api/v2/who-wins/projects': queries([
      {},
      { market: 'true' },
      { rows: 'won' },
      { rows: 'decided', page: '20' },
    ]),
    'GET /api/v2/who-wins/file': queries([{}, { market: 'true' }], { file: 'xlsx' }),
    'GET /api/v2/budgets': queries([{ year: x.budgetYear, scope: 'all' }, { year: x.budgetYear }]),
    'GET /api/v2/budgets/summary': queries([{ year: x.budgetYear, scope: 'all' }, { year: x.budgetYear }]),
    'GET /api/v2/budgets/:id': [
      x.budgetItem === null ? { params: { id: '0' }, status: 404 } : { params: { id: x.budgetItem } },
    ],
    'GET /api/v2/operation/organisations/:code': [{ params: { code: x.organisation }, as: 'operator' }],
    'GET /api/v2/operation/keywords/:id/impact': [{ params: { id: x.keyword }, as: 'operator', status: 400 }],
  }
}

export const EXPORT_COLUMNS = REPORT_COLUMNS.map(({ field }) => field)

/** Returns the queries of every covered route, in route order. Throws when a query leaves a path parameter unfilled. */
export function buildRouteQuestions(examples: Examples): Map<string, readonly Question[]> {
  const all = { ...FIXED, ...aboutExamples(examples) }
  return new Map(
    Object.entries(all).map(([route, templates]) => [route, templates.map((template) => questionOf(route, template))]),
  )
}

function questionOf(route: string, { params = {}, query = {}, ...rest }: QuestionTemplate): Question {
  const pattern = route.slice(route.indexOf(' ') + 1)
  const path = pattern.replaceAll(/:(\w+)|\*/g, (open, name: string | undefined) => {
    const value = params[name ?? '*']
    if (value === undefined) throw new Error(`${route}: no value for ${open}`)
    return name === undefined ? encodeURI(value) : encodeURIComponent(value)
  })
  const search = new URLSearchParams(query).toString()
  return { route, path: search === '' ? path : `${path}?${search}`, ...rest }
}

export function findUncoveredRoutes(routes: readonly string[], questions: ReadonlyMap<string, unknown>): string[] {
  return routes.filter((route) => route.startsWith('GET ') && !questions.has(route))
}
