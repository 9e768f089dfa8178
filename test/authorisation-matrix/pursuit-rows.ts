import { DEFAULT_CHANNEL_WISH } from '#contract/channels/channel.ts'
import type { MatrixRow } from './audiences.ts'

/** What is done about a project: its documents and what was read in them, the pursuit, the labels of a team, what is followed, the results. */
export const PURSUIT_ROWS: Readonly<Record<string, MatrixRow>> = {
  'GET /api/v2/projects/:id/documents': { who: 'report', bare: 404 },
  'GET /api/v2/projects/:id/word-passages': { who: 'report', bare: 404 },
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
  'GET /api/v2/pursuits': { who: 'reportOwnKeys', bare: 200 },
  'GET /api/v2/pursuits/settings': { who: 'reportOwn', bare: 200 },
  'PATCH /api/v2/pursuits/settings': {
    who: 'superUsers',
    bare: 400,
    full: { status: 200, body: { template: ['อ่าน TOR'] } },
  },
  'GET /api/v2/qualifications': { who: 'reportOwn', bare: 200 },
  'PATCH /api/v2/qualifications': { who: 'superUsers', bare: 400, full: { status: 200, body: { capital: 5_000_000 } } },
  'GET /api/v2/pursuits/:id': { who: 'reportOwnKeys', bare: 404 },
  'PATCH /api/v2/pursuits/:id': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { id: '$matched' }, body: { actions: [{ action: 'decide', decision: 'bid' }] } },
  },
  'POST /api/v2/pursuits/:id/carry': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 404, params: { id: '$matched' }, body: { from: '00000000000' } },
  },
  'GET /api/v2/team-marks': { who: 'reportOwn', bare: 200 },
  'GET /api/v2/project-looks': { who: 'reportOwn', bare: 400 },
  'PATCH /api/v2/team-labels': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { action: { action: 'delete_label', label_id: 'gone' } } },
  },
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
  'GET /api/v2/users/me/channels': { who: 'reportOwn', bare: 200 },
  'PUT /api/v2/users/me/channels/:channel': {
    who: 'reportOwn',
    bare: 400,
    full: { status: 200, params: { channel: 'line' }, body: DEFAULT_CHANNEL_WISH },
  },
  'GET /api/v2/users/me/line': { who: 'reportOwn', bare: 200 },
  'POST /api/v2/users/me/line/connect': { who: 'reportOwn', bare: 200 },
  'DELETE /api/v2/users/me/line': { who: 'reportOwn', bare: 204 },
  'GET /api/v2/organisations/me/line-groups': { who: 'superUsers', bare: 200 },
  'POST /api/v2/organisations/me/line-groups/code': { who: 'superUsers', bare: 200 },
  'DELETE /api/v2/organisations/me/line-groups/:id': {
    who: 'superUsers',
    bare: 404,
    full: { status: 204, params: { id: '$lineGroup' } },
  },
  // Nothing that LINE has not signed.
  'POST /api/v2/line/webhook': { who: 'anyone', bare: 403 },
  'GET /api/v2/users/me/push': { who: 'reportOwn', bare: 200 },
  'PUT /api/v2/users/me/push/devices': {
    who: 'reportOwn',
    bare: 400,
    full: {
      status: 200,
      body: { endpoint: 'https://push.example/x', keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } },
    },
  },
  'DELETE /api/v2/users/me/push/devices/:id': {
    who: 'reportOwn',
    bare: 404,
    full: { status: 200, params: { id: '$session' } },
  },
  'POST /api/v2/users/me/push/devices/:id/sample': {
    who: 'reportOwn',
    bare: 404,
    full: { status: 200, params: { id: '$document' } },
  },
  'POST /api/v2/push-renewals': { who: 'anyone', bare: 400 },
  'GET /api/v2/users/me/questions': { who: 'companiesOwn', bare: 200 },
  'PATCH /api/v2/users/me/questions': { who: 'companiesOwn', bare: 400, full: { status: 200, body: { bell: true } } },
  'GET /api/v2/results': { who: 'reportOwn', bare: 200 },
  'GET /api/v2/results/rows': { who: 'reportOwn', bare: 400 },
  'GET /api/v2/results/file': { who: 'reportOwn', bare: 200 },
}
