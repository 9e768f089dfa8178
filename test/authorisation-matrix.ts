import { OPERATOR_MATRIX } from './server/operator-matrix.ts'

/**
 * R23: who may call what, as data. `authorisation.test.ts` makes a check of every cell and fails for a route without a row, a row without a
 * route, and an actor that one of the lists leaves out. It is part of `npm test`, so the build fails with it.
 */

/** Everybody who may ask. The first five have no session that lives. */
export const ACTORS = [
  'anonymous',
  /** Holds the code of a registration that is under way, and no account. */
  'notRegistered',
  'loggedOut',
  'disabled',
  /** Of an organisation that was disabled as a whole. */
  'closed',
  'demo',
  /** Of an organisation that sees budget years and nothing else. */
  'budgetOnly',
  'noFlags',
  /** A super user whose organisation has not finished its watch lists. */
  'notReady',
  'memberA',
  'superA',
  'memberB',
  'superB',
  /** Looks after the product; a user of no organisation with data (R61). */
  'operator',
] as const
export type Actor = (typeof ACTORS)[number]

/** Let in, or the status of the refusal. */
export type ExpectedAccess = 'in' | 401 | 403

// biome-ignore format: a table, one column an actor in the order of `ACTORS`
const LISTS = {
  //             anon  notReg logOut disab  closed demo  budget noFlag notRdy memA  supA  memB  supB  oper
  anyone:        ['in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in'],
  signedIn:      [ 401,  401,  401,  401,  401, 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in',  403],
  /** What every client asks for first, also that of an operator. */
  whoAmI:        [ 401,  401,  401,  401,  401, 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in'],
  /** The demo's account is everybody's (C6). */
  ownAccount:    [ 401,  401,  401,  401,  401,  403, 'in', 'in', 'in', 'in', 'in', 'in', 'in',  403],
  report:        [ 401,  401,  401,  401,  401, 'in',  403, 'in', 'in', 'in', 'in', 'in', 'in',  403],
  /** What changes or takes home something of the organisation: not in the demo (C6). */
  reportOwn:     [ 401,  401,  401,  401,  401,  403,  403, 'in', 'in', 'in', 'in', 'in', 'in',  403],
  superUsers:    [ 401,  401,  401,  401,  401,  403,  403,  403, 'in',  403, 'in',  403, 'in',  403],
  companies:     [ 401,  401,  401,  401,  401, 'in',  403,  403, 'in', 'in', 'in', 'in', 'in',  403],
  companiesOwn:  [ 401,  401,  401,  401,  401,  403,  403,  403, 'in', 'in', 'in', 'in', 'in',  403],
  comparison:    [ 401,  401,  401,  401,  401, 'in',  403,  403, 'in', 'in', 'in',  403,  403,  403],
  comparisonOwn: [ 401,  401,  401,  401,  401,  403,  403,  403, 'in', 'in', 'in',  403,  403,  403],
  budget:        [ 401,  401,  401,  401,  401, 'in', 'in',  403, 'in', 'in', 'in',  403,  403,  403],
  budgetOwn:     [ 401,  401,  401,  401,  401,  403, 'in',  403, 'in', 'in', 'in',  403,  403,  403],
  operators:     [ 401,  401,  401,  401,  401,  403,  403,  403,  403,  403,  403,  403,  403, 'in'],
} as const satisfies Record<string, readonly ExpectedAccess[]>

export type Audience = keyof typeof LISTS

/** Who is let in, by audience and actor. */
export const AUDIENCES: Readonly<Record<Audience, Readonly<Partial<Record<Actor, ExpectedAccess>>>>> =
  Object.fromEntries(
    Object.entries(LISTS).map(([name, answers]) => [
      name,
      Object.fromEntries(answers.map((answer, at) => [ACTORS[at], answer])),
    ]),
  ) as Record<Audience, Partial<Record<Actor, ExpectedAccess>>>

export type MatrixRow = {
  readonly who: Audience
  /** What those who are let in are answered when they send nothing at all. */
  readonly bare: number
  /**
   * What they are answered to a call that succeeds. Everybody else must get the same refusal as without a body: before it is looked at.
   * A value that starts with `$` is something of the asking user's own.
   */
  readonly full?: {
    readonly status: number
    readonly params?: Readonly<Record<string, string>>
    readonly body?: Readonly<Record<string, unknown>>
    /** A body that is no JSON: it is sent as application/octet-stream. */
    readonly raw?: string
  }
}

export const MATRIX: Readonly<Record<string, MatrixRow>> = {
  'GET /api/v2/users/me': { who: 'whoAmI', bare: 200 },
  'GET /api/v2/users/me/pulse': { who: 'signedIn', bare: 200 },
  'PATCH /api/v2/users/me': { who: 'signedIn', bare: 400, full: { status: 200, body: { project_bookmark: [] } } },
  'GET /api/v2/organisations/me': { who: 'whoAmI', bare: 200 },
  'GET /api/v2/organisations/me/logs': { who: 'superUsers', bare: 200 },
  'GET /api/v2/organisations/me/logs/export': { who: 'superUsers', bare: 200 },
  'POST /api/v2/organisations/me': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { include_keywords: [{ word: '$newWord' }] } },
  },
  'PATCH /api/v2/organisations/me': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { search_by_name: true } },
  },
  'DELETE /api/v2/organisations/me': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { include_keywords: [{ word: 'ไม่มีคำนี้' }] } },
  },
  'POST /api/v2/organisations/me/keywords/remove': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { include_keywords: [{ word: 'ไม่มีคำนี้' }] } },
  },
  'POST /api/v2/organisations/me/keywords/restore': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { ids: ['$deletedKeyword'] } },
  },
  'POST /api/v2/organisations/me/keywords/check': {
    who: 'report',
    bare: 400,
    full: { status: 200, body: { include_keywords: [{ word: 'กล้อง' }] } },
  },
  'POST /api/v2/organisations/me/keywords/expand': {
    who: 'report',
    bare: 400,
    full: { status: 200, body: { word: 'กล้อง' } },
  },
  'GET /api/v2/organisations/me/keyword-terms': { who: 'report', bare: 200 },
  'PATCH /api/v2/organisations/me/keywords/:id/terms': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$aiKeyword' }, body: { add: ['กล้อง'] } },
  },
  'POST /api/v2/organisations/me/keywords/evidence': {
    who: 'report',
    bare: 400,
    full: { status: 200, body: { terms: [{ term: 'กล้อง', facet: 0, acts: true }] } },
  },
  'POST /api/v2/organisations/me/keywords/preview': {
    who: 'report',
    bare: 400,
    full: { status: 200, body: { add: { include: ['กล้อง'] } } },
  },
  'GET /api/v2/organisations/me/matching': { who: 'report', bare: 200 },
  'GET /api/v2/organisations/me/keyword-stats': { who: 'report', bare: 200 },
  'GET /api/v2/organisations/me/hidden': { who: 'report', bare: 200 },
  'POST /api/v2/organisations/me/hidden/rescue': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 204, body: { project_ids: ['99'] } },
  },
  'POST /api/v2/organisations/me/hidden/unrescue': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 204, body: { project_ids: ['99'] } },
  },
  'GET /api/v2/projects/:id/why': { who: 'report', bare: 200 },
  'GET /api/v2/organisations/starter-words': { who: 'signedIn', bare: 200 },
  'GET /api/v2/departments': { who: 'signedIn', bare: 200 },
  'GET /api/v2/projects': { who: 'report', bare: 200 },
  'GET /api/v2/projects/facets': { who: 'report', bare: 200 },
  'GET /api/v2/projects/ids': { who: 'report', bare: 200 },
  'GET /api/v2/projects/suggestions': { who: 'report', bare: 200 },
  'POST /api/v2/projects/exports': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 202, body: { format: 'csv', query: {}, columns: ['name'] } },
  },
  'GET /api/v2/projects/exports': { who: 'reportOwn', bare: 200 },
  'GET /api/v2/projects/exports/:id': { who: 'reportOwn', bare: 404 },
  'POST /api/v2/projects/exports/:id/cancel': {
    who: 'reportOwn',
    bare: 404,
    full: { status: 200, params: { id: '$export' }, body: {} },
  },
  'GET /api/v2/projects/exports/:id/file': { who: 'reportOwn', bare: 404 },
  'GET /api/v2/projects/saved-filter-counts': { who: 'report', bare: 200 },
  'GET /api/v2/projects/saved-filter-recall': { who: 'report', bare: 200 },
  'GET /api/v2/projects/queue': { who: 'report', bare: 200 },
  'POST /api/v2/projects/queue/decisions': {
    who: 'report',
    bare: 400,
    full: { status: 200, body: { load_id: 1, project_ids: ['99'], decided: true } },
  },
  'GET /api/v2/calendar': { who: 'report', bare: 200 },
  'GET /api/v2/calendar-feeds': { who: 'reportOwn', bare: 200 },
  'POST /api/v2/calendar-feeds': { who: 'reportOwn', bare: 400, full: { status: 200, body: { source: 'starred' } } },
  'DELETE /api/v2/calendar-feeds/:id': { who: 'reportOwn', bare: 404, full: { status: 204, params: { id: '$feed' } } },
  'GET /api/v2/calendars/:file': { who: 'anyone', bare: 404 },
  'GET /api/v2/filter-feeds/:file': { who: 'anyone', bare: 404 },
  'POST /api/v2/short-links': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { search: { check_sme: 'true' } } },
  },
  'GET /api/v2/short-links/:code': { who: 'report', bare: 404 },
  'GET /api/v2/companies': { who: 'companies', bare: 200 },
  'GET /api/v2/companies/:name': { who: 'companies', bare: 404 },
  'GET /api/v2/companies/:name/projects': { who: 'companies', bare: 404 },
  'GET /api/v2/companies/:name/timeline': { who: 'companies', bare: 404 },
  'GET /api/v2/companies/*': { who: 'companies', bare: 404 },
  'GET /api/v2/company-files/list': { who: 'companiesOwn', bare: 200 },
  'GET /api/v2/company-files/company': { who: 'companiesOwn', bare: 400 },
  'GET /api/v2/company-suggestions': { who: 'companies', bare: 200 },
  'GET /api/v2/company-winners': { who: 'companies', bare: 200 },
  'GET /api/v2/agencies/:code': { who: 'companies', bare: 404 },
  'GET /api/v2/agencies/:code/projects': { who: 'companies', bare: 404 },
  'GET /api/v2/agencies/:code/signs': { who: 'companies', bare: 404 },
  'GET /api/v2/agencies/:code/file': { who: 'companiesOwn', bare: 404 },
  'GET /api/v2/contract-ends': { who: 'report', bare: 200 },
  'GET /api/v2/who-wins': { who: 'companies', bare: 200 },
  'GET /api/v2/who-wins/projects': { who: 'companies', bare: 200 },
  'GET /api/v2/who-wins/signs': { who: 'companies', bare: 200 },
  'GET /api/v2/who-wins/file': { who: 'companiesOwn', bare: 200 },
  'GET /api/v2/projects/:id/documents': { who: 'report', bare: 404 },
  'POST /api/v2/projects/:id/documents': {
    who: 'reportOwn',
    bare: 404,
    full: { status: 200, params: { id: '$matched' }, raw: '%PDF-1.4' },
  },
  'GET /api/v2/documents': { who: 'report', bare: 400 },
  'GET /api/v2/documents/:id': { who: 'report', bare: 404 },
  'GET /api/v2/documents/:id/hits': { who: 'report', bare: 400 },
  'GET /api/v2/documents/:id/comparison': { who: 'report', bare: 400 },
  'GET /api/v2/documents/:id/requirements': { who: 'report', bare: 404 },
  'GET /api/v2/documents/:id/file': { who: 'report', bare: 404 },
  'POST /api/v2/documents/:id/pictures': {
    who: 'reportOwn',
    bare: 404,
    full: { status: 400, params: { id: '$document' } },
  },
  'DELETE /api/v2/documents/:id': { who: 'reportOwn', bare: 404, full: { status: 204, params: { id: '$document' } } },
  'GET /api/v2/document-answers': { who: 'reportOwn', bare: 200 },
  'PATCH /api/v2/document-answers': {
    who: 'superUsers',
    bare: 400,
    full: { status: 200, body: { is_on: true, host: 'models.example', model: 'small' } },
  },
  'POST /api/v2/projects/:id/document-answers': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$matched' }, body: { question: 'ค่าปรับ' } },
  },
  'GET /api/v2/pursuits': { who: 'reportOwn', bare: 200 },
  'GET /api/v2/pursuits/settings': { who: 'reportOwn', bare: 200 },
  'PATCH /api/v2/pursuits/settings': {
    who: 'superUsers',
    bare: 400,
    full: { status: 200, body: { template: ['อ่าน TOR'] } },
  },
  'GET /api/v2/qualifications': { who: 'reportOwn', bare: 200 },
  'PATCH /api/v2/qualifications': { who: 'superUsers', bare: 400, full: { status: 200, body: { capital: 5_000_000 } } },
  'GET /api/v2/pursuits/:id': { who: 'reportOwn', bare: 404 },
  'PATCH /api/v2/pursuits/:id': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$matched' }, body: { actions: [{ action: 'decide', decision: 'bid' }] } },
  },
  'GET /api/v2/team-labels': { who: 'reportOwn', bare: 200 },
  'PATCH /api/v2/team-labels': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { action: { action: 'delete_label', label_id: 'gone' } } },
  },
  'GET /api/v2/team-views': { who: 'reportOwn', bare: 200 },
  'PATCH /api/v2/team-views': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { action: { action: 'forget' } } },
  },
  'POST /api/v2/pursuits/:id/files/:file': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 201, params: { id: '$matched', file: '$session' }, raw: '%PDF-1.4 note' },
  },
  'GET /api/v2/pursuits/:id/files/:file': { who: 'reportOwn', bare: 404 },
  'GET /api/v2/users/me/follows': { who: 'reportOwn', bare: 200 },
  'PATCH /api/v2/users/me/follows': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { bell: ['department'] } },
  },
  'GET /api/v2/users/me/questions': { who: 'companiesOwn', bare: 200 },
  'PATCH /api/v2/users/me/questions': { who: 'companiesOwn', bare: 400, full: { status: 200, body: { bell: true } } },
  'GET /api/v2/results': { who: 'reportOwn', bare: 200 },
  'GET /api/v2/results/rows': { who: 'reportOwn', bare: 400 },
  'GET /api/v2/results/file': { who: 'reportOwn', bare: 200 },
  'GET /api/v2/projects/:id': { who: 'report', bare: 404 },
  'GET /api/v2/projects/:id/similar-prices': { who: 'report', bare: 404 },
  'GET /api/v2/projects/:id/linked': { who: 'report', bare: 404 },
  'GET /api/v2/company-comparison': { who: 'comparison', bare: 200 },
  'GET /api/v2/company-comparison/projects': { who: 'comparison', bare: 400 },
  'GET /api/v2/company-comparison/pairs': { who: 'comparison', bare: 200 },
  'GET /api/v2/company-comparison/likely/:projectId': { who: 'comparison', bare: 404 },
  'GET /api/v2/company-comparison/file': { who: 'comparisonOwn', bare: 200 },
  'GET /api/v2/budgets': { who: 'budget', bare: 200 },
  'GET /api/v2/budgets/years': { who: 'budget', bare: 200 },
  'GET /api/v2/budgets/summary': { who: 'budget', bare: 200 },
  'GET /api/v2/budgets/:id': { who: 'budget', bare: 404 },
  'POST /api/v2/budgets/:id/links/:projectId': {
    who: 'budgetOwn',
    bare: 400,
    full: { status: 200, params: { id: '$budgetItem', projectId: '$project' }, body: { decision: 'confirmed' } },
  },
  'GET /api/v2/users/me/report-mail-preview': { who: 'reportOwn', bare: 200 },
  'GET /api/v2/report-mail-preview/:token': { who: 'anyone', bare: 404 },
  'POST /api/v2/mail-links/look': { who: 'anyone', bare: 400 },
  'POST /api/v2/mail-links': { who: 'anyone', bare: 400 },
  'POST /api/v2/mail-links/unsubscribe/:token': { who: 'anyone', bare: 400 },
  'GET /api/v2/mail-links/unsubscribe/:token': { who: 'anyone', bare: 303 },
  'POST /api/v2/auth/login': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/auto-login': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/token/refresh': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/logout': { who: 'anyone', bare: 204 },
  'GET /api/v2/users/me/sessions': { who: 'ownAccount', bare: 200 },
  'DELETE /api/v2/users/me/sessions/:id': {
    who: 'ownAccount',
    bare: 404,
    full: { status: 204, params: { id: '$session' } },
  },
  'POST /api/v2/users/me/sessions/end-all': { who: 'ownAccount', bare: 204 },
  'POST /api/v2/password/change': {
    who: 'ownAccount',
    bare: 400,
    full: {
      status: 200,
      body: { current_password: '$password', new_password: 'Kluay-5-Wan#', confirm_password: 'Kluay-5-Wan#' },
    },
  },
  'POST /api/v2/password/reset': { who: 'anyone', bare: 400 },
  'GET /api/v2/password/reset/verify/:token': { who: 'anyone', bare: 400 },
  'POST /api/v2/password/reset/confirm/:token': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/check-email-exist/forgot-password': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/check-email-exist': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/check-phone-exist': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/check-organization-exist': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/register-step-one': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/register-step-two': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/request-to-join': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/create-register-otp': { who: 'anyone', bare: 400 },
  'POST /api/v2/auth/register-step-final': { who: 'anyone', bare: 400 },
  'GET /api/v2/organisations/business-types': { who: 'anyone', bare: 200 },
  'GET /api/docs': { who: 'anyone', bare: 200 },
  'GET /api/docs/json': { who: 'anyone', bare: 200 },
  'GET /api/docs/yaml': { who: 'anyone', bare: 200 },
  'GET /api/docs/static/*': { who: 'anyone', bare: 404 },
  'GET /api/docs/static/index.html': { who: 'anyone', bare: 302 },
  'GET /api/docs/static/swagger-initializer.js': { who: 'anyone', bare: 200 },
  'GET /livez': { who: 'anyone', bare: 200 },
  'GET /readyz': { who: 'anyone', bare: 200 },
  'GET /metrics': { who: 'anyone', bare: 200 },
  'GET /api/v2/organisations/me/members': { who: 'superUsers', bare: 200 },
  'PATCH /api/v2/organisations/me/members/:id': {
    who: 'superUsers',
    bare: 400,
    full: { status: 204, params: { id: '$user' }, body: { is_disabled: false } },
  },
  'POST /api/v2/organisations/me/leave': {
    who: 'ownAccount',
    bare: 400,
    full: { status: 204, body: { confirm: true } },
  },
  'POST /api/v2/organisations/me/invitations': {
    who: 'superUsers',
    bare: 400,
    full: { status: 204, body: { email: 'somsri@colleague.example', role: 'member_user' } },
  },
  'POST /api/v2/organisations/me/invitations/:id/resend': {
    who: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$invitation' } },
  },
  'DELETE /api/v2/organisations/me/invitations/:id': {
    who: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$invitation' } },
  },
  'POST /api/v2/organisations/me/join-requests/:id/accept': {
    who: 'superUsers',
    bare: 400,
    full: { status: 204, params: { id: '$joinRequest' }, body: { role: 'member_user' } },
  },
  'POST /api/v2/organisations/me/join-requests/:id/refuse': {
    who: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$otherRequest' } },
  },
  'GET /api/v2/invitations/:token': { who: 'anyone', bare: 400 },
  'POST /api/v2/invitations/:token/accept': { who: 'anyone', bare: 400 },
  ...OPERATOR_MATRIX,
}
