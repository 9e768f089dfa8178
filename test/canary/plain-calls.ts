import { SAMPLE_PASSWORD } from '#server/features/sample-account/sample-organisations.ts'

/** One call of B with ids that are not B's; what is not said is sent without. */
export type Call = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A body that is no JSON. */
  readonly raw?: string
}

const PUSH_KEYS = { keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }

/** Calls in which no id of A has a place, or whose answers differ from one to the next: they are searched for the canary alone. */
export const PLAIN: Readonly<Record<string, readonly Call[]>> = {
  'POST /api/v2/organisations/me/keywords/evidence': [{ body: { terms: [{ term: 'กล้อง', facet: 0, acts: true }] } }],
  'POST /api/v2/organisations/me/keywords/expand': [{ body: { word: 'กล้อง' } }],
  'POST /api/v2/policy-reports': [{ body: { 'csp-report': { 'effective-directive': 'script-src' } } }],
  'GET /api/v2/organisations/starter-words': [{}],
  'GET /api/v2/organisations/business-types': [{}],
  'GET /api/v2/departments': [{}, { query: { q: 'เทศบาล' } }],
  // Rule by rule about a project that is public: B's rules, whoever has it in the report.
  'GET /api/v2/projects/:id/why': [{ params: { id: '$project' } }, { params: { id: '$shared' } }],
  'POST /api/v2/projects/exports': [
    { body: { format: 'xlsx', query: { project_label__in: '$label' }, columns: ['project_id', 'name'] } },
    { body: { format: 'csv', query: {}, columns: ['name'] } },
  ],
  // Whoever has a code may open it: it holds no tenant's data, and what it opens is the caller's own.
  'GET /api/v2/short-links/:code': [{ params: { code: '0000000000' } }],
  // Whoever has the address sees the calendar; a hash is none.
  'GET /api/v2/calendars/:file': [{ params: { file: 'hash.ics' } }],
  'GET /api/v2/organisations/me/api-keys': [{}],
  'POST /api/v2/organisations/me/api-keys': [
    {},
    { body: { name: 'x', scopes: ['report'], days: 30, password: SAMPLE_PASSWORD } },
  ],
  'GET /api/v2/organisations/me/webhooks': [{}],
  'POST /api/v2/organisations/me/webhooks': [
    {},
    {
      body: {
        ...{ name: 'x', url: 'https://hooks.example/', events: ['match.new'], view: null },
        password: SAMPLE_PASSWORD,
      },
    },
  ],
  'GET /api/v2/filter-feeds/:file': [{ params: { file: 'hash.csv' } }],
  'GET /api/v2/companies': [{}, { query: { scope: 'watch' } }],
  'GET /api/v2/companies/:name': [{ params: { name: 'nobody' } }],
  'GET /api/v2/companies/:name/projects': [{ params: { name: 'nobody' } }],
  'GET /api/v2/companies/:name/timeline': [{ params: { name: 'nobody' } }],
  'GET /api/v2/companies/*': [{ params: { '*': 'a/b' } }],
  'GET /api/v2/company-files/list': [{}, { query: { scope: 'watch' } }],
  'GET /api/v2/company-files/company': [{ query: { name: 'nobody' } }],
  'GET /api/v2/company-suggestions': [{ query: { q: 'ก' } }],
  'GET /api/v2/company-winners': [{}],
  'GET /api/v2/agencies/:code': [
    { params: { code: 'เทศบาลเมืองตัวอย่าง' } },
    { params: { code: 'เทศบาลเมืองตัวอย่าง' }, query: { scope: 'watch' } },
  ],
  'GET /api/v2/agencies/:code/signs': [{ params: { code: 'เทศบาลเมืองตัวอย่าง' } }],
  'GET /api/v2/agencies/:code/file': [{ params: { code: 'เทศบาลเมืองตัวอย่าง' } }],
  'GET /api/v2/agencies/:code/projects': [
    { params: { code: 'เทศบาลเมืองตัวอย่าง' } },
    { params: { code: 'เทศบาลเมืองตัวอย่าง' }, query: { rows: 'matches' } },
    { params: { code: 'เทศบาลเมืองตัวอย่าง' }, query: { rows: 'pursuits' } },
  ],
  'GET /api/v2/contract-ends': [{}, { query: { ends_within: '730' } }],
  'GET /api/v2/who-wins': [{}, { query: { market: 'true' } }],
  'GET /api/v2/who-wins/file': [{}],
  'GET /api/v2/who-wins/projects': [{}, { query: { market: 'true' } }, { query: { rows: 'decided' } }],
  'GET /api/v2/who-wins/signs': [{}, { query: { market: 'true' } }],
  'GET /api/v2/company-comparison': [{}],
  'GET /api/v2/company-comparison/projects': [{}],
  'GET /api/v2/company-comparison/pairs': [{}],
  'GET /api/v2/company-comparison/file': [{}],
  'GET /api/v2/budgets': [{ query: { year: '2570', scope: 'all' } }, { query: { year: '2570' } }],
  'GET /api/v2/budgets/years': [{}],
  'GET /api/v2/budgets/summary': [{ query: { year: '2570', scope: 'all' } }, { query: { year: '2570' } }],
  'GET /api/v2/budgets/:id': [{ params: { id: '$budgetItem' } }],
  'GET /api/v2/users/me/report-mail-preview': [{ query: { user_id: '$user' } }],
  // Whoever holds a token may do what it says: B is given A's with another signature, which makes them nobody's.
  'GET /api/v2/report-mail-preview/:token': [{ params: { token: '$previewToken' } }],
  'POST /api/v2/mail-links/look': [{ body: { token: '$mailToken' } }],
  'POST /api/v2/mail-links': [{ body: { token: '$mailToken' } }],
  'POST /api/v2/mail-links/unsubscribe/:token': [{ params: { token: '$mailToken' } }],
  'GET /api/v2/mail-links/unsubscribe/:token': [{ params: { token: '$mailToken' } }],
  // Its answer holds a secret, each time another. B's browser has an address of its own.
  'PUT /api/v2/users/me/push/devices': [{ body: { endpoint: 'https://push.example/b', ...PUSH_KEYS } }],
  'POST /api/v2/push-renewals': [{ body: { secret: 'hash', endpoint: 'https://push.example/c', ...PUSH_KEYS } }],
  'GET /api/v2/password/reset/verify/:token': [{ params: { token: 'hash' } }],
  'POST /api/v2/password/reset/confirm/:token': [
    { params: { token: 'hash' }, body: { new_password: 'Kluay-5-Wan#', confirm_password: 'Kluay-5-Wan#' } },
  ],
  'POST /api/v2/auth/token/refresh': [{ body: { refresh: 'hash' } }],
  'POST /api/v2/auth/logout': [{ body: { refresh: 'hash' } }],
  'POST /api/v2/auth/register-step-two': [{ body: { register_form_code: 'hash' } }],
  'POST /api/v2/auth/request-to-join': [
    { body: { register_form_code: 'hash', organization_name: 'บริษัท ธาราเมฆ จำกัด', firstname: 'ก', lastname: 'ข' } },
  ],
  'POST /api/v2/auth/create-register-otp': [{ body: { register_form_code: 'hash' } }],
  'POST /api/v2/auth/register-step-final': [{ body: { register_form_code: 'hash', otp: '123456' } }],
  'POST /api/v2/auth/login': [{}],
  'POST /api/v2/auth/auto-login': [{ body: { refkey: '$organisation' } }],
  'POST /api/v2/auth/register-step-one': [{}],
  'POST /api/v2/auth/check-email-exist': [{}],
  'POST /api/v2/auth/check-phone-exist': [{}],
  'POST /api/v2/auth/check-organization-exist': [{}],
  // With A's address they would write A a mail, as they should; that the answer tells nothing is R20 and tested there.
  'POST /api/v2/password/reset': [{ body: { email: '$nobody' } }],
  'POST /api/v2/auth/check-email-exist/forgot-password': [{ body: { email: '$nobody' } }],
  'POST /api/v2/password/change': [{}],
  'POST /api/v2/users/me/sessions/end-all': [{}],
  'GET /api/docs': [{}],
  'GET /api/docs/json': [{}],
  'GET /api/docs/yaml': [{}],
  'GET /api/docs/static/*': [{ params: { '*': 'x.js' } }],
  'GET /api/docs/static/index.html': [{}],
  'GET /api/docs/static/swagger-initializer.js': [{}],
  'GET /livez': [{}],
  'GET /readyz': [{}],
  'GET /metrics': [{}],
  'GET /api/v2/organisations/me/members': [{}],
  'PATCH /api/v2/pursuits/settings': [{ body: { template: ['ของฉัน'] } }],
  'GET /api/v2/document-answers': [{}],
  'PATCH /api/v2/document-answers': [{ body: { is_on: true, host: 'x', model: 'x' } }],
  'PATCH /api/v2/qualifications': [{ body: { capital: 1 } }],
  'POST /api/v2/organisations/me/leave': [{}],
  'POST /api/v2/organisations/me/invitations': [{ body: { email: 'canary@colleague.example', role: 'member_user' } }],
  'GET /api/v2/invitations/:token': [{ params: { token: 'hash' } }],
  'POST /api/v2/invitations/:token/accept': [{ params: { token: 'hash' }, body: {} }],
  // Of operators alone: to B they are refusals.
  'GET /api/v2/operation/sources': [{}],
  'GET /api/v2/operation/loads': [{}],
  'GET /api/v2/operation/loads/:id/rows': [{ params: { id: '1' } }],
  'GET /api/v2/operation/organisations': [{}],
  'GET /api/v2/operation/organisations/:code': [{ params: { code: 'tharamek' } }],
  'PATCH /api/v2/operation/organisations/:code': [{ params: { code: 'tharamek' }, body: { is_disabled: true } }],
  'POST /api/v2/operation/organisations/:code/rematch': [{ params: { code: 'tharamek' } }],
  'PATCH /api/v2/operation/users': [{ body: { email: 'manager@tharamek.example', is_disabled: true } }],
  'GET /api/v2/operation/overview': [{}],
  'GET /api/v2/operation/metrics': [{}],
  'GET /api/v2/operation/channels': [{}],
  'GET /api/v2/operation/jobs': [{}],
  'POST /api/v2/operation/jobs/:id/restart': [{ params: { id: '1' } }],
  'POST /api/v2/operation/mails/:id/resend': [{ params: { id: '1' } }],
  'GET /api/v2/operation/keywords': [{}],
  'GET /api/v2/operation/keywords/:id/impact': [{ params: { id: '1' } }],
  'POST /api/v2/operation/keywords/:id/approve': [{ params: { id: '1' } }],
  'POST /api/v2/operation/keywords/:id/reject': [{ params: { id: '1' } }],
  'POST /api/v2/operation/blacklist': [{ body: { word: 'จำนวน' } }],
  'POST /api/v2/operation/blacklist/remove': [{ body: { word: 'จำนวน' } }],
  'GET /api/v2/operation/documents': [{}],
  'GET /api/v2/operation/documents/:fact/next': [{ params: { fact: 'budget' } }],
  'POST /api/v2/operation/documents/:fact/checks': [
    { params: { fact: 'budget' }, body: { hash: 'ab'.repeat(32), is_right: true } },
  ],
  'POST /api/v2/operation/documents/:fact/on': [{ params: { fact: 'budget' } }],
  'POST /api/v2/operation/documents/:fact/off': [{ params: { fact: 'budget' } }],
  'GET /api/v2/operation/documents/files/:hash': [{ params: { hash: 'ab'.repeat(32) } }],
  'GET /api/v2/operation/sources/:source/gaps': [{ params: { source: 'egp-rss' } }],
  'POST /api/v2/operation/sources/:source/on': [
    { params: { source: 'egp-rss' }, body: { contact: 'it@tamngan.example' } },
  ],
  'POST /api/v2/operation/sources/:source/run': [{ params: { source: 'egp-rss' } }],
  'POST /api/v2/operation/sources/:source/probe': [{ params: { source: 'egp-rss' } }],
  'POST /api/v2/operation/sources/:source/off': [{ params: { source: 'egp-rss' } }],
}
