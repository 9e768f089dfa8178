import { ACCOUNT_ROWS } from './account-rows.ts'
import type { MatrixRow } from './audiences.ts'
import { MARKET_ROWS } from './market-rows.ts'
import { OPERATOR_ROWS } from './operator-rows.ts'
import { ORGANISATION_ROWS } from './organisation-rows.ts'
import { PURSUIT_ROWS } from './pursuit-rows.ts'
import { REPORT_ROWS } from './report-rows.ts'

/** What the server says of itself. */
const SERVER_ROWS: Readonly<Record<string, MatrixRow>> = {
  'GET /api/docs': { who: 'anyone', bare: 200 },
  'GET /api/docs/json': { who: 'anyone', bare: 200 },
  'GET /api/docs/yaml': { who: 'anyone', bare: 200 },
  'GET /api/docs/static/*': { who: 'anyone', bare: 404 },
  'GET /api/docs/static/index.html': { who: 'anyone', bare: 302 },
  'GET /api/docs/static/swagger-initializer.js': { who: 'anyone', bare: 200 },
  'GET /livez': { who: 'anyone', bare: 200 },
  'GET /readyz': { who: 'anyone', bare: 200 },
  'GET /metrics': { who: 'anyone', bare: 200 },
}

/** Every route once: a row that two themes name would hide one of the two. */
export const MATRIX: Readonly<Record<string, MatrixRow>> = joined([
  ORGANISATION_ROWS,
  REPORT_ROWS,
  MARKET_ROWS,
  PURSUIT_ROWS,
  ACCOUNT_ROWS,
  SERVER_ROWS,
  OPERATOR_ROWS,
])

/** Fails for a route that stands in two themes. */
function joined(themes: readonly Readonly<Record<string, MatrixRow>>[]): Readonly<Record<string, MatrixRow>> {
  const rows = themes.flatMap((theme) => Object.entries(theme))
  const routes = rows.map(([route]) => route)
  const twice = routes.filter((route, at) => routes.indexOf(route) !== at)
  if (twice.length > 0) throw new Error(`two rows of the authorisation matrix for ${twice.join(', ')}`)
  return Object.fromEntries(rows)
}
