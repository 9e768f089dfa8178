import type { MatrixRow } from './audiences.ts'

/** The report: its rows and files, its saved filters, its queue and calendar, and the pages of one project. */
export const REPORT_ROWS: Readonly<Record<string, MatrixRow>> = {
  'GET /api/v2/projects': { who: 'reportKeys', bare: 200 },
  'GET /api/v2/projects/facets': { who: 'reportKeys', bare: 200 },
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
  'GET /api/v2/projects/:id': { who: 'reportKeys', bare: 404 },
  'GET /api/v2/projects/:id/similar-prices': { who: 'report', bare: 404 },
  'GET /api/v2/projects/:id/linked': { who: 'report', bare: 404 },
}
