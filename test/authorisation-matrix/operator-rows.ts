import type { MatrixRow } from './audiences.ts'

/** Routes of operators (R61). */
export const OPERATOR_ROWS: Readonly<Record<string, MatrixRow>> = {
  'GET /api/v2/operation/sources': { who: 'operators', bare: 200 },
  'GET /api/v2/operation/loads': { who: 'operators', bare: 200 },
  'GET /api/v2/operation/loads/:id/rows': { who: 'operators', bare: 404 },
  'GET /api/v2/operation/organisations': { who: 'operators', bare: 200 },
  'GET /api/v2/operation/organisations/:code': {
    who: 'operators',
    bare: 404,
    full: { status: 200, params: { code: 'noensai' } },
  },
  'PATCH /api/v2/operation/organisations/:code': {
    who: 'operators',
    bare: 400,
    full: { status: 204, params: { code: 'noensai' }, body: { limits: { include: 60 } } },
  },
  'POST /api/v2/operation/organisations/:code/rematch': {
    who: 'operators',
    bare: 404,
    full: { status: 204, params: { code: 'noensai' } },
  },
  'PATCH /api/v2/operation/users': {
    who: 'operators',
    bare: 400,
    full: { status: 404, body: { email: 'nobody@noensai.example', is_disabled: false } },
  },
  'GET /api/v2/operation/overview': { who: 'operators', bare: 200 },
  'GET /api/v2/operation/metrics': { who: 'operators', bare: 200 },
  'GET /api/v2/operation/channels': { who: 'operators', bare: 200 },
  'GET /api/v2/operation/jobs': { who: 'operators', bare: 200 },
  'POST /api/v2/operation/jobs/:id/restart': {
    who: 'operators',
    bare: 404,
    full: { status: 400, params: { id: '999999' } },
  },
  'POST /api/v2/operation/mails/:id/resend': {
    who: 'operators',
    bare: 404,
    full: { status: 400, params: { id: '999999' } },
  },
  'GET /api/v2/operation/keywords': { who: 'operators', bare: 200 },
  'GET /api/v2/operation/keywords/:id/impact': { who: 'operators', bare: 404 },
  'POST /api/v2/operation/keywords/:id/approve': {
    who: 'operators',
    bare: 404,
    full: { status: 400, params: { id: '999999' } },
  },
  'POST /api/v2/operation/keywords/:id/reject': {
    who: 'operators',
    bare: 404,
    full: { status: 400, params: { id: '999999' } },
  },
  'GET /api/v2/operation/documents': { who: 'operators', bare: 200 },
  'GET /api/v2/operation/documents/:fact/next': { who: 'operators', bare: 404 },
  'POST /api/v2/operation/documents/:fact/checks': {
    who: 'operators',
    bare: 400,
    full: { status: 404, params: { fact: 'budget' }, body: { hash: 'ab'.repeat(32), is_right: true } },
  },
  'POST /api/v2/operation/documents/:fact/on': {
    who: 'operators',
    bare: 404,
    full: { status: 400, params: { fact: 'budget' } },
  },
  'POST /api/v2/operation/documents/:fact/off': {
    who: 'operators',
    bare: 404,
    full: { status: 204, params: { fact: 'budget' } },
  },
  'GET /api/v2/operation/documents/files/:hash': { who: 'operators', bare: 404 },
  'POST /api/v2/operation/blacklist': {
    who: 'operators',
    bare: 400,
    full: { status: 204, body: { word: 'คำที่ห้าม' } },
  },
  'POST /api/v2/operation/blacklist/remove': {
    who: 'operators',
    bare: 400,
    full: { status: 204, body: { word: 'คำที่ห้าม' } },
  },
  'GET /api/v2/operation/sources/:source/gaps': { who: 'operators', bare: 404 },
  'POST /api/v2/operation/sources/:source/on': {
    who: 'operators',
    bare: 400,
    full: {
      status: 204,
      params: { source: 'egp-rss' },
      body: { contact: 'it@tamngan.example', opens_at: '09:00', closes_at: '11:00' },
    },
  },
  'POST /api/v2/operation/sources/:source/run': {
    who: 'operators',
    bare: 404,
    full: { status: 204, params: { source: 'egp-rss' } },
  },
  'POST /api/v2/operation/sources/:source/probe': {
    who: 'operators',
    bare: 404,
    full: { status: 200, params: { source: 'egp-rss' } },
  },
  'POST /api/v2/operation/sources/:source/off': {
    who: 'operators',
    bare: 404,
    full: { status: 204, params: { source: 'egp-rss' } },
  },
}
