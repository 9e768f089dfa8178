import type { MatrixRow } from './audiences.ts'

export const ORGANISATION_ROWS: Readonly<Record<string, MatrixRow>> = {
  'GET /api/v2/users/me': { audience: 'whoAmI', bare: 200 },
  'GET /api/v2/users/me/pulse': { audience: 'signedIn', bare: 200 },
  'PATCH /api/v2/users/me': { audience: 'signedIn', bare: 400, full: { status: 200, body: { project_bookmark: [] } } },
  'GET /api/v2/organisations/me': { audience: 'whoAmI', bare: 200 },
  'GET /api/v2/organisations/me/logs': { audience: 'superUsers', bare: 200 },
  'GET /api/v2/organisations/me/logs/export': { audience: 'superUsers', bare: 200 },
  'GET /api/v2/organisations/me/api-keys': { audience: 'superUsers', bare: 200 },
  'POST /api/v2/organisations/me/api-keys': {
    audience: 'superUsers',
    bare: 400,
    full: { status: 200, body: { name: 'x', scopes: ['report'], days: 30 } },
  },
  'DELETE /api/v2/organisations/me/api-keys/:id': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$apiKey' } },
  },
  'GET /api/v2/organisations/me/login-domains': { audience: 'superUsers', bare: 200 },
  'POST /api/v2/organisations/me/login-domains': {
    audience: 'superUsers',
    bare: 400,
    full: { status: 200, body: { domain: '$newDomain', provider: 'google' } },
  },
  'POST /api/v2/organisations/me/login-domains/:id/verify': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$loginDomain' } },
  },
  'PATCH /api/v2/organisations/me/login-domains/:id': {
    audience: 'superUsers',
    bare: 400,
    full: { status: 204, params: { id: '$loginDomain' }, body: { rule: 'may' } },
  },
  // This row is the last of the domain rows, because it deletes the domain. Each allowed actor has a separate domain.
  'DELETE /api/v2/organisations/me/login-domains/:id': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$loginDomain' } },
  },
  'DELETE /api/v2/organisations/me/login-identities/:id': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$loginIdentity' } },
  },
  'GET /api/v2/organisations/me/webhooks': { audience: 'superUsers', bare: 200 },
  'POST /api/v2/organisations/me/webhooks': {
    audience: 'superUsers',
    bare: 400,
    full: {
      status: 200,
      body: { name: 'x', url: 'https://hooks.example/', events: ['match.new'], view: null },
    },
  },
  'PATCH /api/v2/organisations/me/webhooks/:id': {
    audience: 'superUsers',
    bare: 400,
    full: { status: 204, params: { id: '$webhook' }, body: { is_on: true } },
  },
  'POST /api/v2/organisations/me/webhooks/:id/secret': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 200, params: { id: '$webhook' } },
  },
  'POST /api/v2/organisations/me/webhooks/:id/test': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 200, params: { id: '$webhook' } },
  },
  'POST /api/v2/organisations/me/webhooks/:id/resend': {
    audience: 'superUsers',
    bare: 400,
    full: { status: 200, params: { id: '$webhook' }, body: { since: '2026-11-01T00:00:00Z' } },
  },
  'GET /api/v2/organisations/me/webhooks/:id/deliveries': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 200, params: { id: '$webhook' } },
  },
  'GET /api/v2/organisations/me/webhooks/:id/deliveries/:delivery': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 200, params: { id: '$webhook', delivery: '$delivery' } },
  },
  'POST /api/v2/organisations/me/webhooks/:id/deliveries/:delivery/resend': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$webhook', delivery: '$delivery' } },
  },
  // This row is the last of the webhook rows, because it deletes the webhook. Each allowed actor has a separate
  // webhook.
  'DELETE /api/v2/organisations/me/webhooks/:id': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$webhook' } },
  },
  'POST /api/v2/organisations/me': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { include_keywords: [{ word: '$newWord' }] } },
  },
  'PATCH /api/v2/organisations/me': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { search_by_name: true } },
  },
  'DELETE /api/v2/organisations/me': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { include_keywords: [{ word: 'ไม่มีคำนี้' }] } },
  },
  'POST /api/v2/organisations/me/keywords/remove': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { include_keywords: [{ word: 'ไม่มีคำนี้' }] } },
  },
  'POST /api/v2/organisations/me/keywords/restore': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { ids: ['$deletedKeyword'] } },
  },
  'POST /api/v2/organisations/me/keywords/check': {
    audience: 'report',
    bare: 400,
    full: { status: 200, body: { include_keywords: [{ word: 'กล้อง' }] } },
  },
  'POST /api/v2/organisations/me/keywords/expand': {
    audience: 'report',
    bare: 400,
    full: { status: 200, body: { word: 'กล้อง' } },
  },
  'GET /api/v2/organisations/me/keyword-terms': { audience: 'report', bare: 200 },
  'GET /api/v2/organisations/me/keyword-terms/news': { audience: 'report', bare: 200 },
  'PATCH /api/v2/organisations/me/keywords/:id/terms': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$aiKeyword' }, body: { add: ['กล้อง'] } },
  },
  'POST /api/v2/organisations/me/keywords/lesson': {
    audience: 'report',
    bare: 400,
    full: { status: 200, body: { word: 'กล้อง', answers: [] } },
  },
  'GET /api/v2/organisations/me/keywords/:id/lesson': {
    audience: 'report',
    bare: 404,
    full: { status: 200, params: { id: '$aiKeyword' } },
  },
  'POST /api/v2/organisations/me/keywords/:id/lesson': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$aiKeyword' }, body: { answers: [{ project_id: '99', is_wanted: true }] } },
  },
  'PUT /api/v2/organisations/me/keywords/:id/lesson/terms': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$aiKeyword' }, body: { in_force: true } },
  },
  'GET /api/v2/organisations/me/term-advice': { audience: 'report', bare: 200 },
  'PUT /api/v2/organisations/me/term-advice': {
    audience: 'reportOwn',
    bare: 400,
    // 404, because the caller has no term advice.
    full: { status: 404, body: { keyword_id: 1, facet: 0, term: 'กล้อง', refused: true } },
  },
  'POST /api/v2/organisations/me/keywords/evidence': {
    audience: 'report',
    bare: 400,
    full: { status: 200, body: { terms: [{ term: 'กล้อง', facet: 0, acts: true }] } },
  },
  'POST /api/v2/organisations/me/keywords/preview': {
    audience: 'report',
    bare: 400,
    full: { status: 200, body: { add: { include: ['กล้อง'] } } },
  },
  'POST /api/v2/organisations/me/first-list': {
    audience: 'report',
    bare: 400,
    full: { status: 200, body: { company: 'บริษัท ไม่มีในข้อมูล จำกัด' } },
  },
  'POST /api/v2/organisations/me/first-list/proof': {
    audience: 'report',
    bare: 400,
    full: {
      status: 404,
      body: { company_id: 999_999_999, words: ['กล้อง'], agencies: [], provinces: null, band: { min: null, max: null } },
    },
  },
  'GET /api/v2/organisations/me/matching': { audience: 'report', bare: 200 },
  'GET /api/v2/organisations/me/keyword-stats': { audience: 'report', bare: 200 },
  'GET /api/v2/organisations/me/hidden': { audience: 'report', bare: 200 },
  'POST /api/v2/organisations/me/hidden/rescue': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 204, body: { project_ids: ['99'] } },
  },
  'POST /api/v2/organisations/me/hidden/unrescue': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 204, body: { project_ids: ['99'] } },
  },
  'GET /api/v2/projects/:id/why': { audience: 'report', bare: 200 },
  'GET /api/v2/organisations/starter-words': { audience: 'signedIn', bare: 200 },
  'GET /api/v2/coverage': { audience: 'signedIn', bare: 200 },
  'GET /api/v2/coverage/misses': { audience: 'signedIn', bare: 200 },
  'GET /api/v2/coverage/projects/:id': { audience: 'signedIn', bare: 200 },
  'GET /api/v2/departments': { audience: 'signedIn', bare: 200 },
}
