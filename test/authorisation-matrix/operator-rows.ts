import type { MatrixRow } from './audiences.ts'

export const OPERATOR_ROWS: Readonly<Record<string, MatrixRow>> = {
  'GET /api/v2/operation/sources': { audience: 'operators', bare: 200 },
  'GET /api/v2/operation/loads': { audience: 'operators', bare: 200 },
  'GET /api/v2/operation/loads/:id/rows': { audience: 'operators', bare: 404 },
  'GET /api/v2/operation/organisations': { audience: 'operators', bare: 200 },
  'GET /api/v2/operation/organisations/:code': {
    audience: 'operators',
    bare: 404,
    full: { status: 200, params: { code: 'noensai' } },
  },
  'PATCH /api/v2/operation/organisations/:code': {
    audience: 'operators',
    bare: 400,
    full: { status: 204, params: { code: 'noensai' }, body: { limits: { include: 60 } } },
  },
  'POST /api/v2/operation/organisations/:code/rematch': {
    audience: 'operators',
    bare: 404,
    full: { status: 204, params: { code: 'noensai' } },
  },
  'PATCH /api/v2/operation/users': {
    audience: 'operators',
    bare: 400,
    full: { status: 404, body: { email: 'nobody@noensai.example', is_disabled: false } },
  },
  'GET /api/v2/operation/overview': { audience: 'operators', bare: 200 },
  'GET /api/v2/operation/metrics': { audience: 'operators', bare: 200 },
  'GET /api/v2/operation/channels': { audience: 'operators', bare: 200 },
  'GET /api/v2/operation/jobs': { audience: 'operators', bare: 200 },
  'POST /api/v2/operation/jobs/:id/restart': {
    audience: 'operators',
    bare: 404,
    full: { status: 400, params: { id: '999999' } },
  },
  'POST /api/v2/operation/mails/:id/resend': {
    audience: 'operators',
    bare: 404,
    full: { status: 400, params: { id: '999999' } },
  },
  'GET /api/v2/operation/keywords': { audience: 'operators', bare: 200 },
  'GET /api/v2/operation/keywords/:id/impact': { audience: 'operators', bare: 404 },
  'POST /api/v2/operation/keywords/:id/approve': {
    audience: 'operators',
    bare: 404,
    full: { status: 400, params: { id: '999999' } },
  },
  'POST /api/v2/operation/keywords/:id/reject': {
    audience: 'operators',
    bare: 404,
    full: { status: 400, params: { id: '999999' } },
  },
  'GET /api/v2/operation/documents': { audience: 'operators', bare: 200 },
  'GET /api/v2/operation/documents/:fact/next': { audience: 'operators', bare: 404 },
  'POST /api/v2/operation/documents/:fact/checks': {
    audience: 'operators',
    bare: 400,
    full: { status: 404, params: { fact: 'budget' }, body: { hash: 'ab'.repeat(32), is_right: true } },
  },
  'POST /api/v2/operation/documents/:fact/on': {
    audience: 'operators',
    bare: 404,
    full: { status: 400, params: { fact: 'budget' } },
  },
  'POST /api/v2/operation/documents/:fact/off': {
    audience: 'operators',
    bare: 404,
    full: { status: 204, params: { fact: 'budget' } },
  },
  'GET /api/v2/operation/documents/files/:hash': { audience: 'operators', bare: 404 },
  'POST /api/v2/operation/blacklist': {
    audience: 'operators',
    bare: 400,
    full: { status: 204, body: { word: 'คำที่ห้าม' } },
  },
  'POST /api/v2/operation/blacklist/remove': {
    audience: 'operators',
    bare: 400,
    full: { status: 204, body: { word: 'คำที่ห้าม' } },
  },
  'GET /api/v2/operation/sources/:source/gaps': { audience: 'operators', bare: 404 },
  'POST /api/v2/operation/sources/:source/on': {
    audience: 'operators',
    bare: 400,
    full: {
      status: 204,
      params: { source: 'egp-rss' },
      body: { contact: 'it@tamngan.example', opens_at: '09:00', closes_at: '11:00' },
    },
  },
  'POST /api/v2/operation/sources/:source/run': {
    audience: 'operators',
    bare: 404,
    full: { status: 204, params: { source: 'egp-rss' } },
  },
  'POST /api/v2/operation/sources/:source/probe': {
    audience: 'operators',
    bare: 404,
    full: { status: 200, params: { source: 'egp-rss' } },
  },
  'POST /api/v2/operation/sources/:source/off': {
    audience: 'operators',
    bare: 404,
    full: { status: 204, params: { source: 'egp-rss' } },
  },
}
