import type { MatrixRow } from './audiences.ts'

/** What a user and an organisation have set: themselves, their words and what those hide. */
export const ORGANISATION_ROWS: Readonly<Record<string, MatrixRow>> = {
  'GET /api/v2/users/me': { who: 'whoAmI', bare: 200 },
  'GET /api/v2/users/me/pulse': { who: 'signedIn', bare: 200 },
  'PATCH /api/v2/users/me': { who: 'signedIn', bare: 400, full: { status: 200, body: { project_bookmark: [] } } },
  'GET /api/v2/organisations/me': { who: 'whoAmI', bare: 200 },
  'GET /api/v2/organisations/me/logs': { who: 'superUsers', bare: 200 },
  'GET /api/v2/organisations/me/logs/export': { who: 'superUsers', bare: 200 },
  'GET /api/v2/organisations/me/api-keys': { who: 'superUsers', bare: 200 },
  'POST /api/v2/organisations/me/api-keys': {
    who: 'superUsers',
    bare: 400,
    full: { status: 200, body: { name: 'x', scopes: ['report'], days: 30 } },
  },
  'DELETE /api/v2/organisations/me/api-keys/:id': {
    who: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$apiKey' } },
  },
  'GET /api/v2/organisations/me/login-domains': { who: 'superUsers', bare: 200 },
  'POST /api/v2/organisations/me/login-domains': {
    who: 'superUsers',
    bare: 400,
    full: { status: 200, body: { domain: '$newDomain', provider: 'google' } },
  },
  'POST /api/v2/organisations/me/login-domains/:id/verify': {
    who: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$loginDomain' } },
  },
  'PATCH /api/v2/organisations/me/login-domains/:id': {
    who: 'superUsers',
    bare: 400,
    full: { status: 204, params: { id: '$loginDomain' }, body: { rule: 'may' } },
  },
  // The last: there is one for each who may.
  'DELETE /api/v2/organisations/me/login-domains/:id': {
    who: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$loginDomain' } },
  },
  'DELETE /api/v2/organisations/me/login-identities/:id': {
    who: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$loginIdentity' } },
  },
  'GET /api/v2/organisations/me/webhooks': { who: 'superUsers', bare: 200 },
  'POST /api/v2/organisations/me/webhooks': {
    who: 'superUsers',
    bare: 400,
    full: {
      status: 200,
      body: { name: 'x', url: 'https://hooks.example/', events: ['match.new'], view: null },
    },
  },
  'PATCH /api/v2/organisations/me/webhooks/:id': {
    who: 'superUsers',
    bare: 400,
    full: { status: 204, params: { id: '$webhook' }, body: { is_on: true } },
  },
  'POST /api/v2/organisations/me/webhooks/:id/secret': {
    who: 'superUsers',
    bare: 404,
    full: { status: 200, params: { id: '$webhook' } },
  },
  'POST /api/v2/organisations/me/webhooks/:id/test': {
    who: 'superUsers',
    bare: 404,
    full: { status: 200, params: { id: '$webhook' } },
  },
  'POST /api/v2/organisations/me/webhooks/:id/resend': {
    who: 'superUsers',
    bare: 400,
    full: { status: 200, params: { id: '$webhook' }, body: { since: '2026-11-01T00:00:00Z' } },
  },
  'GET /api/v2/organisations/me/webhooks/:id/deliveries': {
    who: 'superUsers',
    bare: 404,
    full: { status: 200, params: { id: '$webhook' } },
  },
  'GET /api/v2/organisations/me/webhooks/:id/deliveries/:delivery': {
    who: 'superUsers',
    bare: 404,
    full: { status: 200, params: { id: '$webhook', delivery: '$delivery' } },
  },
  'POST /api/v2/organisations/me/webhooks/:id/deliveries/:delivery/resend': {
    who: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$webhook', delivery: '$delivery' } },
  },
  // The last: there is one for each who may.
  'DELETE /api/v2/organisations/me/webhooks/:id': {
    who: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$webhook' } },
  },
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
  'GET /api/v2/organisations/me/keyword-terms/news': { who: 'report', bare: 200 },
  'PATCH /api/v2/organisations/me/keywords/:id/terms': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$aiKeyword' }, body: { add: ['กล้อง'] } },
  },
  'POST /api/v2/organisations/me/keywords/lesson': {
    who: 'report',
    bare: 400,
    full: { status: 200, body: { word: 'กล้อง', answers: [] } },
  },
  'GET /api/v2/organisations/me/keywords/:id/lesson': {
    who: 'report',
    bare: 404,
    full: { status: 200, params: { id: '$aiKeyword' } },
  },
  'POST /api/v2/organisations/me/keywords/:id/lesson': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$aiKeyword' }, body: { answers: [{ project_id: '99', is_wanted: true }] } },
  },
  'PUT /api/v2/organisations/me/keywords/:id/lesson/terms': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$aiKeyword' }, body: { in_force: true } },
  },
  'GET /api/v2/organisations/me/term-advice': { who: 'report', bare: 200 },
  'PUT /api/v2/organisations/me/term-advice': {
    who: 'reportOwn',
    bare: 400,
    // Nothing was found for the caller.
    full: { status: 404, body: { keyword_id: 1, facet: 0, term: 'กล้อง', refused: true } },
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
}
