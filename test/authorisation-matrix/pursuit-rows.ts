import { DEFAULT_CHANNEL_PREFERENCES } from '#contract/channels/channel.ts'
import type { MatrixRow } from './audiences.ts'

export const PURSUIT_ROWS: Readonly<Record<string, MatrixRow>> = {
  'GET /api/v2/projects/:id/documents': { audience: 'reportKeys', bare: 404 },
  'GET /api/v2/projects/:id/word-passages': { audience: 'report', bare: 404 },
  'POST /api/v2/projects/:id/documents': {
    audience: 'reportOwn',
    bare: 404,
    full: { status: 200, params: { id: '$matched' }, raw: '%PDF-1.4' },
  },
  'GET /api/v2/documents': { audience: 'report', bare: 400 },
  'GET /api/v2/documents/:id': { audience: 'report', bare: 404 },
  'GET /api/v2/documents/:id/hits': { audience: 'report', bare: 400 },
  'GET /api/v2/documents/:id/comparison': { audience: 'report', bare: 400 },
  'GET /api/v2/documents/:id/requirements': { audience: 'report', bare: 404 },
  'GET /api/v2/documents/:id/file': { audience: 'report', bare: 404 },
  'POST /api/v2/documents/:id/pictures': {
    audience: 'reportOwn',
    bare: 404,
    full: { status: 400, params: { id: '$document' } },
  },
  'DELETE /api/v2/documents/:id': {
    audience: 'reportOwn',
    bare: 404,
    full: { status: 204, params: { id: '$document' } },
  },
  'GET /api/v2/document-answers': { audience: 'reportOwn', bare: 200 },
  'PATCH /api/v2/document-answers': {
    audience: 'superUsers',
    bare: 400,
    full: { status: 200, body: { is_on: true, host: 'models.example', model: 'small' } },
  },
  'POST /api/v2/projects/:id/document-answers': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$matched' }, body: { question: 'ค่าปรับ' } },
  },
  'GET /api/v2/pursuits': { audience: 'reportOwnKeys', bare: 200 },
  'GET /api/v2/pursuits/settings': { audience: 'reportOwnKeys', bare: 200 },
  'PATCH /api/v2/pursuits/settings': {
    audience: 'superUsers',
    bare: 400,
    full: { status: 200, body: { template: ['อ่าน TOR'] } },
  },
  'GET /api/v2/qualifications': { audience: 'reportOwn', bare: 200 },
  'PATCH /api/v2/qualifications': {
    audience: 'superUsers',
    bare: 400,
    full: { status: 200, body: { capital: 5_000_000 } },
  },
  'GET /api/v2/pursuits/:id': { audience: 'reportOwnKeys', bare: 404 },
  'PATCH /api/v2/pursuits/:id': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$matched' }, body: { actions: [{ action: 'decide', decision: 'bid' }] } },
  },
  'POST /api/v2/pursuits/:id/carry': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 404, params: { id: '$matched' }, body: { from: '00000000000' } },
  },
  'GET /api/v2/team-marks': { audience: 'reportOwnKeys', bare: 200 },
  'GET /api/v2/project-looks': { audience: 'reportOwn', bare: 400 },
  'PATCH /api/v2/team-labels': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { action: { action: 'delete_label', label_id: 'gone' } } },
  },
  'PATCH /api/v2/team-views': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { action: { action: 'forget' } } },
  },
  'POST /api/v2/pursuits/:id/files/:file': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 201, params: { id: '$matched', file: '$session' }, raw: '%PDF-1.4 note' },
  },
  'GET /api/v2/pursuits/:id/files/:file': { audience: 'reportOwn', bare: 404 },
  'GET /api/v2/users/me/follows': { audience: 'reportOwn', bare: 200 },
  'PATCH /api/v2/users/me/follows': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { bell: ['department'] } },
  },
  'GET /api/v2/users/me/channels': { audience: 'reportOwn', bare: 200 },
  'PUT /api/v2/users/me/channels/:channel': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { channel: 'line' }, body: DEFAULT_CHANNEL_PREFERENCES },
  },
  'GET /api/v2/users/me/line': { audience: 'reportOwn', bare: 200 },
  'POST /api/v2/users/me/line/connect': { audience: 'reportOwn', bare: 200 },
  'DELETE /api/v2/users/me/line': { audience: 'reportOwn', bare: 204 },
  'GET /api/v2/organisations/me/line-groups': { audience: 'superUsers', bare: 200 },
  'POST /api/v2/organisations/me/line-groups/code': { audience: 'superUsers', bare: 200 },
  'DELETE /api/v2/organisations/me/line-groups/:id': {
    audience: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$lineGroup' } },
  },
  // 403, because the request has no signature of LINE.
  'POST /api/v2/line/webhook': { audience: 'anyone', bare: 403 },
  'GET /api/v2/users/me/push': { audience: 'reportOwn', bare: 200 },
  'PUT /api/v2/users/me/push/devices': {
    audience: 'reportOwn',
    bare: 400,
    full: {
      status: 200,
      body: { endpoint: 'https://push.example/x', keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } },
    },
  },
  'DELETE /api/v2/users/me/push/devices/:id': {
    audience: 'reportOwn',
    bare: 404,
    full: { status: 200, params: { id: '$session' } },
  },
  'POST /api/v2/users/me/push/devices/:id/sample': {
    audience: 'reportOwn',
    bare: 404,
    full: { status: 200, params: { id: '$document' } },
  },
  'POST /api/v2/push-renewals': { audience: 'anyone', bare: 400 },
  'GET /api/v2/users/me/questions': { audience: 'companiesOwn', bare: 200 },
  'PATCH /api/v2/users/me/questions': {
    audience: 'companiesOwn',
    bare: 400,
    full: { status: 200, body: { bell: true } },
  },
  'GET /api/v2/results': { audience: 'reportOwn', bare: 200 },
  'GET /api/v2/results/rows': { audience: 'reportOwn', bare: 400 },
  'GET /api/v2/results/file': { audience: 'reportOwn', bare: 200 },
}
