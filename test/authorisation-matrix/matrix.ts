import { ACCOUNT_ROWS } from './account-rows.ts'
import type { MatrixRow } from './audiences.ts'
import { MARKET_ROWS } from './market-rows.ts'
import { OPERATOR_ROWS } from './operator-rows.ts'
import { ORGANISATION_ROWS } from './organisation-rows.ts'
import { PURSUIT_ROWS } from './pursuit-rows.ts'
import { REPORT_ROWS } from './report-rows.ts'

const SERVER_ROWS: Readonly<Record<string, MatrixRow>> = {
  'GET /api/docs': { audience: 'anyone', bare: 200 },
  'GET /api/docs/json': { audience: 'anyone', bare: 200 },
  'GET /api/docs/yaml': { audience: 'anyone', bare: 200 },
  'GET /api/docs/static/*': { audience: 'anyone', bare: 404 },
  'GET /api/docs/static/index.html': { audience: 'anyone', bare: 302 },
  'GET /api/docs/static/swagger-initializer.js': { audience: 'anyone', bare: 200 },
  'POST /api/mcp': {
    audience: 'keys',
    bare: 400,
    full: { status: 200, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  },
  'GET /livez': { audience: 'anyone', bare: 200 },
  'GET /readyz': { audience: 'anyone', bare: 200 },
  'GET /metrics': { audience: 'anyone', bare: 200 },
}

/** Lists every route once: with a duplicate, one row would silently hide the other. */
export const MATRIX: Readonly<Record<string, MatrixRow>> = joined([
  ORGANISATION_ROWS,
  REPORT_ROWS,
  MARKET_ROWS,
  PURSUIT_ROWS,
  ACCOUNT_ROWS,
  SERVER_ROWS,
  OPERATOR_ROWS,
])

/** Throws if two themes contain the same route. */
function joined(themes: readonly Readonly<Record<string, MatrixRow>>[]): Readonly<Record<string, MatrixRow>> {
  const rows = themes.flatMap((theme) => Object.entries(theme))
  const routes = rows.map(([route]) => route)
  const twice = routes.filter((route, at) => routes.indexOf(route) !== at)
  if (twice.length > 0) throw new Error(`two rows of the authorisation matrix for ${twice.join(', ')}`)
  return Object.fromEntries(rows)
}
