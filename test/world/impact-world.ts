import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { rematchProjectsAfterRuleChange } from '#server/matching/match-changed-rules.ts'
import { rematchOrganisation } from '#server/matching/rematch-organisation.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../server/http-app.ts'
import { addLoad, type ProjectInput, putProjects, setWords } from './report-world.ts'

/** 10:00 in Bangkok, when the watch lists can be edited. */
const OPEN = new Date('2026-11-21T03:00:00Z')
/** 03:00 in Bangkok, within the closed hours of the watch lists. */
const CLOSED = new Date('2026-11-20T20:00:00Z')
/** The six projects of the world: the first four contain กล้อง, three of those also เช่า. */
export const ids = ['67110000001', '67110000002', '67110000003', '67110000004', '67110000005', '67110000006'] as const
export const UNKNOWN_PROJECT = '67119999999'
const PROJECTS: readonly Partial<ProjectInput>[] = [
  { id: ids[0], name: 'ซื้อกล้องวงจรปิด', movementOn: '2026-11-20', budget: 250_000_000 },
  { id: ids[1], name: 'เช่ากล้องวงจรปิด', movementOn: '2026-11-19' },
  { id: ids[2], name: 'เช่ากล้องถ่ายภาพ', movementOn: '2026-11-05' },
  { id: ids[3], name: 'เช่ากล้องส่องทางไกล', movementOn: '2026-08-05' },
  { id: ids[4], name: 'ซื้อยางรถยนต์', movementOn: '2026-11-18' },
  { id: ids[5], name: 'ซื้อยาและเวชภัณฑ์', movementOn: '2026-11-18', unit: 'กองสาธารณสุข' },
]

export class ImpactWorld {
  readonly db: OpenDb
  readonly app: RouteApp
  readonly a: SignedIn
  readonly b: SignedIn
  readonly demo: SignedIn
  readonly organisation: { readonly a: number; readonly b: number }
  readonly #clock: { now: Date }

  private constructor(
    parts: {
      db: OpenDb
      app: RouteApp
      a: SignedIn
      b: SignedIn
      demo: SignedIn
      organisation: { a: number; b: number }
    },
    clock: { now: Date },
  ) {
    this.db = parts.db
    this.app = parts.app
    this.a = parts.a
    this.b = parts.b
    this.demo = parts.demo
    this.organisation = parts.organisation
    this.#clock = clock
  }

  static async make(db: OpenDb): Promise<ImpactWorld> {
    const clock = { now: OPEN }
    await seedSampleOrganisations(db, '2026-11-21')
    await putProjects(db, await addLoad(db), PROJECTS)
    const app = await appOn(db, { now: () => clock.now })
    const rows = await db.query<{ id: number; code: string }>(sql`select id, code from organisations`)
    const idOf = (organisationCode: string) => rows.find(({ code }) => code === organisationCode)!.id
    return new ImpactWorld(
      {
        db,
        app,
        a: await signIn(app, 'sales@tharamek.example'),
        b: await signIn(app, 'bid@noensai.example'),
        demo: await enterDemo(app),
        organisation: { a: idOf('tharamek'), b: idOf('noensai') },
      },
      clock,
    )
  }

  async reset(): Promise<void> {
    this.#clock.now = OPEN
    await this.db.script('truncate match_rescues, jobs, project_matches, match_exclusions, hidden_projects')
    await this.db.script(`update organisations set customer_config = customer_config
      || '{"min_project_budget": "0", "max_project_budget": "0", "report_start_date": null, "start_date_report": null, "end_date_report": null, "search_by_name": true, "search_by_ai": false, "search_by_deptsub": true}'::jsonb,
      areas_with_provinces = '{"all": ["กรุงเทพมหานคร"]}'`)
    for (const id of Object.values(this.organisation)) {
      await setWords(this.db, id, { include: ['กล้อง'], exclude: ['เช่า'] })
      await rematchOrganisation(this.db, id)
    }
  }

  closeLists(): void {
    this.#clock.now = CLOSED
  }

  async get<T>(url: string, user: SignedIn = this.a): Promise<T> {
    const answer = await this.app.inject({ url: `/api/v2/${url}`, headers: user.headers })
    expect([url, answer.statusCode]).toEqual([url, 200])
    return answer.json() as T
  }

  post(url: string, payload: object, user: SignedIn = this.a) {
    return this.app.inject({ method: 'POST', url: `/api/v2/organisations/me/${url}`, headers: user.headers, payload })
  }

  async reportOf(organisation: number): Promise<string[]> {
    const rows = await this.db.query<{ project_id: string }>(
      sql`select project_id from project_matches where organisation_id = ${organisation}::int order by 1`,
    )
    return rows.map((row) => row.project_id)
  }

  async runWaitingMatches() {
    const rows = await this.db.query<{ organisation_id: number; scope: { projects: string[] } }>(
      sql`delete from jobs where kind = 'match' returning organisation_id, payload as scope`,
    )
    for (const row of rows) await rematchProjectsAfterRuleChange(this.db, row.organisation_id, row.scope)
    return rows
  }
}
