import type { MatrixRow } from './audiences.ts'

export const REPORT_ROWS: Readonly<Record<string, MatrixRow>> = {
  'GET /api/v2/projects': { audience: 'reportKeys', bare: 200 },
  'GET /api/v2/projects/facets': { audience: 'reportKeys', bare: 200 },
  'GET /api/v2/projects/agencies': { audience: 'reportKeys', bare: 200 },
  'GET /api/v2/projects/ids': { audience: 'report', bare: 200 },
  'GET /api/v2/projects/suggestions': { audience: 'report', bare: 200 },
  'POST /api/v2/projects/exports': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 202, body: { format: 'csv', query: {}, columns: ['name'] } },
  },
  'GET /api/v2/projects/exports': { audience: 'reportOwn', bare: 200 },
  'GET /api/v2/projects/exports/:id': { audience: 'reportOwn', bare: 404 },
  'POST /api/v2/projects/exports/:id/cancel': {
    audience: 'reportOwn',
    bare: 404,
    full: { status: 200, params: { id: '$export' }, body: {} },
  },
  'GET /api/v2/projects/exports/:id/file': { audience: 'reportOwn', bare: 404 },
  'GET /api/v2/projects/saved-filter-counts': { audience: 'report', bare: 200 },
  'GET /api/v2/projects/saved-filter-recall': { audience: 'report', bare: 200 },
  'GET /api/v2/projects/queue': { audience: 'report', bare: 200 },
  'POST /api/v2/projects/queue/decisions': {
    audience: 'report',
    bare: 400,
    full: { status: 200, body: { load_id: 1, project_ids: ['99'], decided: true } },
  },
  'GET /api/v2/calendar': { audience: 'report', bare: 200 },
  'GET /api/v2/calendar-feeds': { audience: 'reportOwn', bare: 200 },
  'POST /api/v2/calendar-feeds': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { source: 'starred' } },
  },
  'DELETE /api/v2/calendar-feeds/:id': {
    audience: 'reportOwn',
    bare: 404,
    full: { status: 204, params: { id: '$feed' } },
  },
  'GET /api/v2/calendars/:file': { audience: 'anyone', bare: 404 },
  'GET /api/v2/filter-feeds/:file': { audience: 'anyone', bare: 404 },
  'POST /api/v2/short-links': {
    audience: 'reportOwn',
    bare: 400,
    full: { status: 200, body: { search: { check_sme: 'true' } } },
  },
  'GET /api/v2/short-links/:code': { audience: 'report', bare: 404 },
  'GET /api/v2/projects/:id': { audience: 'reportKeys', bare: 404 },
  'GET /api/v2/projects/:id/similar-prices': { audience: 'report', bare: 404 },
  'GET /api/v2/projects/:id/linked': { audience: 'report', bare: 404 },
}
