import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { applyTeamLabelAction, MAX_TEAM_LABELS } from '#contract/report/apply-team-label-action.ts'
import { invertLabelAction } from '#contract/report/label-state.ts'
import { packedTeamLabelsSchema, type TeamLabels, unpackTeamLabels } from '#contract/report/team-label.ts'
import type { TeamLabelAction } from '#contract/report/team-label-action.ts'
import { pursuitDetailSchema, pursuitListSchema } from '#contract/team/pursuit.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'
import { patchTeamLabels } from './patch-team-labels.ts'
import { loadTeamLabels as loadPacked } from './team-label-queries.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
const PROJECTS = ['67110000001', '67110000002', '67110000003'] as const
const [P1, P2, P3] = PROJECTS
const NAME = 'ประกวดราคาซื้อกล้องวงจรปิด'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const create = (id: string, name: string, ...project_ids: string[]): TeamLabelAction => ({
  ...{ action: 'create_label', label_id: id, label_name: name, label_color: 'sky' },
  ...(project_ids.length > 0 ? { project_ids } : {}),
})

onEachEngineInTurn('labels of a team', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let seller: SignedIn
  let stranger: SignedIn
  let organisationId: number
  let bossId: number
  let sellerId: number

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const load = await addLoad(db)
    await putProjects(
      db,
      load,
      PROJECTS.map((id) => ({ id, name: NAME })),
    )
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    const users = await db.query<{ id: number; organisation_id: number; email_key: string }>(
      sql`select id, organisation_id, email_key from users`,
    )
    const idOf = (email: string) => users.find(({ email_key }) => email_key === email)!
    ;({ id: bossId, organisation_id: organisationId } = idOf('manager@tharamek.example'))
    sellerId = idOf('sales@tharamek.example').id
    app = await appOn(db, { now: () => NOW })
    boss = await signIn(app, 'manager@tharamek.example')
    seller = await signIn(app, 'sales@tharamek.example')
    stranger = await signIn(app, 'manager@noensai.example')
  })
  beforeEach(() =>
    db.script(
      'delete from team_labels; delete from pursuit_events; delete from pursuits; update pursuit_boards set version = version + 1',
    ),
  )
  afterAll(() => app.close())

  const call = (method: 'GET' | 'PATCH' | 'DELETE', path: string, caller: SignedIn, body?: object) =>
    app.inject({ method, url: `/api/v2${path}`, headers: caller.headers, ...(body ? { payload: body } : {}) })
  const patch = (action: TeamLabelAction, caller = boss) => call('PATCH', '/team-labels', caller, { action })
  const patched = async (action: TeamLabelAction, caller = boss): Promise<TeamLabels> => {
    const answer = await patch(action, caller)
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
    return unpackTeamLabels(packedTeamLabelsSchema.parse(answer.json()))
  }
  const refusal = async (action: TeamLabelAction, caller = boss) => {
    const answer = await patch(action, caller)
    return `${answer.statusCode} ${answer.json().non_field_errors}`
  }
  const labelsOf = async (caller: SignedIn) =>
    unpackTeamLabels(packedTeamLabelsSchema.parse((await call('GET', '/team-marks', caller)).json()))
  const loadTeamLabels = async () => unpackTeamLabels(await loadPacked(db, organisationId))
  const pulse = async (caller: SignedIn) => (await call('GET', '/users/me/pulse', caller)).json().pursuit_version

  test('any member creates and assigns a label; colleagues’ open tabs are notified, other organisations not', async () => {
    const before = await pulse(boss)
    const made = await patched(create('t1', 'ยื่นแน่', P1, P2), seller)
    expect(made).toEqual({
      labels: [{ id: 't1', name: 'ยื่นแน่', color: 'sky', created_by: sellerId }],
      assignments: { [P1]: ['t1'], [P2]: ['t1'] },
    })
    expect(await labelsOf(boss)).toEqual(made)
    expect(await labelsOf(stranger)).toEqual({ labels: [], assignments: {} })
    expect(await pulse(boss)).toBeGreaterThan(before ?? 0)
    const { history, pursuit } = pursuitDetailSchema.parse((await call('GET', `/pursuits/${P1}`, boss)).json())
    expect([history[0]!.action, history[0]!.to, history[0]!.by, pursuit]).toEqual(['add_label', 'ยื่นแน่', sellerId, null])
    expect(await patched({ action: 'assign_label', label_id: 't1', project_id: P1 })).toEqual(made)
    expect(await patched(create('t1', 'ยื่นแน่', P1), seller)).toEqual(made)
    expect(await db.query(sql`select from pursuit_events where action = 'add_label'`)).toHaveLength(2)
  })

  test('only its creator and super users rename, recolour and delete it', async () => {
    await patched(create('of-boss', 'ด่วน'))
    await patched(create('of-seller', 'รอราคา', P1), seller)
    const rename = (label_id: string, label_name: string): TeamLabelAction => ({
      action: 'rename_label',
      label_id,
      label_name,
    })
    const forbidden = '403 เปลี่ยนและลบป้ายทีมได้เฉพาะคนที่สร้างป้ายกับผู้ดูแลองค์กร'
    expect(await refusal(rename('of-boss', 'ช้า'), seller)).toBe(forbidden)
    expect(await refusal({ action: 'recolor_label', label_id: 'of-boss', label_color: 'red' }, seller)).toBe(forbidden)
    expect(await refusal({ action: 'delete_label', label_id: 'of-boss' }, seller)).toBe(forbidden)
    expect(
      (await patched({ action: 'assign_label', label_id: 'of-boss', project_id: P2 }, seller)).assignments,
    ).toEqual({
      [P1]: ['of-seller'],
      [P2]: ['of-boss'],
    })
    await patched(rename('of-seller', 'รอใบเสนอราคา'), seller)
    const after = await patched({ action: 'recolor_label', label_id: 'of-seller', label_color: 'red' })
    expect(after.labels[1]).toEqual({ id: 'of-seller', name: 'รอใบเสนอราคา', color: 'red', created_by: sellerId })
    expect((await patched({ action: 'delete_label', label_id: 'of-seller' })).assignments).toEqual({
      [P2]: ['of-boss'],
    })
    const { history } = pursuitDetailSchema.parse((await call('GET', `/pursuits/${P1}`, boss)).json())
    expect([history[0]!.action, history[0]!.from]).toEqual(['remove_label', 'รอใบเสนอราคา'])
  })

  test('R42: a hundred labels on 656 projects take under 150 kB, read once per board version', async () => {
    await db.execute(sql`
      insert into team_labels select ${organisationId}::int, 'label-' || n, 'ป้าย ' || n, 'sky', null, now() + n * interval '1 second'
      from generate_series(1, 100) n`)
    await db.execute(sql`
      insert into team_label_assignments select ${organisationId}::int, '6711' || lpad(p::text, 7, '0'), 'label-' || n, now() - n * interval '1 second'
      from generate_series(1, 656) p, generate_series(1, 100) n`)
    const answer = await call('GET', '/team-marks', boss)
    expect(answer.body.length).toBeLessThan(150_000)
    const { assignments } = await labelsOf(seller)
    expect(Object.keys(assignments)).toHaveLength(656)
    expect(assignments[P1]).toEqual(times(100, (at) => `label-${100 - at}`))
    await db.script('delete from team_labels')
    expect((await labelsOf(boss)).labels).toHaveLength(100)
    await patched(create('t1', 'ใหม่', P1))
    expect(await labelsOf(boss)).toMatchObject({ labels: [{ id: 't1' }], assignments: { [P1]: ['t1'] } })
  })

  test('refuses duplicate names, unknown projects and labels beyond the limit as a whole', async () => {
    await patched(create('t1', 'ยื่นแน่'))
    expect(await refusal(create('t2', ' ยื่นแน่ '), seller)).toBe('400 มีป้ายทีมชื่อ “ยื่นแน่” แล้ว')
    expect(await refusal(create('t1', 'อื่น'), seller)).toContain('รหัสป้ายทีมนี้มีอยู่แล้ว')
    expect(await refusal({ action: 'assign_label', label_id: 'gone', project_id: P1 })).toContain('ไม่พบป้ายทีมนี้')
    expect(await refusal({ action: 'assign_label', label_id: 't1' })).toContain('โครงการใด')
    expect(await refusal(create('t2', 'ใหม่', P1, '67999999999'))).toContain('ไม่พบ 1 โครงการ')
    expect((await labelsOf(boss)).labels).toHaveLength(1)
    await db.execute(sql`
      insert into team_labels select ${organisationId}::int, 'n' || n, 'n' || n, 'sky', null, now() from generate_series(2, ${MAX_TEAM_LABELS}::int) n`)
    expect(await refusal(create('more', 'เกิน'))).toContain('ไม่เกิน 100 ป้าย')
  })

  test('merges concurrent changes: forty actions of two users match the model', async () => {
    const ids = ['t1', 't2', 't3']
    for (const id of ids) await patched(create(id, id))
    const teamLabelActionArbitrary: fc.Arbitrary<TeamLabelAction> = fc.oneof(
      fc.record({
        action: fc.constantFrom('assign_label' as const, 'unassign_label' as const),
        label_id: fc.constantFrom(...ids),
        project_ids: fc.uniqueArray(fc.constantFrom(...PROJECTS), { minLength: 1 }),
      }),
      fc.record({
        action: fc.constant('recolor_label' as const),
        label_id: fc.constantFrom(...ids),
        label_color: fc.constantFrom('red', 'teal'),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(teamLabelActionArbitrary, { minLength: 10, maxLength: 40 }), async (actions) => {
        const actor = (i: number) =>
          ({ organisationId, userId: i % 2 ? bossId : sellerId, role: 'super_user' }) as never
        let model = await loadTeamLabels()
        // Concurrent actions apply in the order in which they get the lock. That order is unknown here, so the content
        // of their responses is not checked.
        const answers = await Promise.all(
          actions.map(async (action, i) => ({
            action,
            i,
            answer: await patchTeamLabels(db, actor(i), { action, now: NOW }),
          })),
        )
        expect(answers).toHaveLength(actions.length)
        const after = await loadTeamLabels()
        model = after
        for (const [i, action] of actions.entries()) {
          const undo = invertLabelAction(model, action)
          const next = applyTeamLabelAction(model, action, bossId)
          const stored = unpackTeamLabels(await patchTeamLabels(db, actor(i), { action, now: NOW }))
          const sorted = ({ labels, assignments }: TeamLabels) => ({
            labels,
            assignments: Object.fromEntries(
              Object.entries(assignments)
                .sort()
                .map(([id, of]) => [id, [...of].sort()]),
            ),
          })
          expect(sorted(stored)).toEqual(sorted(next))
          if (undo) expect(sorted(applyTeamLabelAction(next, undo as TeamLabelAction, bossId))).toEqual(sorted(model))
          model = stored
        }
      }),
      { numRuns: 4 },
    )
  }, 120_000)

  test('undo restores a deleted label completely', async () => {
    const before = await patched(create('t1', 'ยื่นแน่', P1, P3))
    const undo = invertLabelAction(before, { action: 'delete_label', label_id: 't1' })
    expect((await patched({ action: 'delete_label', label_id: 't1' })).labels).toEqual([])
    expect(await patched(undo as TeamLabelAction)).toEqual(before)
  })

  test('labels of a closed account stay and are managed by super users', async () => {
    await patched(create('t1', 'ของคนที่ออก', P1), seller)
    const close = (is_disabled: boolean) =>
      call('PATCH', `/organisations/me/members/${sellerId}`, boss, { is_disabled })
    expect((await close(true)).statusCode).toBe(204)
    expect((await labelsOf(boss)).assignments).toEqual({ [P1]: ['t1'] })
    await patched({ action: 'rename_label', label_id: 't1', label_name: 'ของทีม' })
    expect((await close(false)).statusCode).toBe(204)
  })

  test('report and board find, count and filter by it, including a pursuit that left the report', async () => {
    await patched(create('t1', 'ยื่นแน่', P1, P2))
    for (const id of [P2, P3])
      await call('PATCH', `/pursuits/${id}`, boss, { actions: [{ action: 'set_owner', owner: bossId }] })
    const report = await call('GET', '/projects?team_label__in=t1&ordering=project_budget', boss)
    expect(
      report
        .json()
        .results.map(({ project_id }: { project_id: string }) => project_id)
        .sort(),
    ).toEqual([P1, P2])
    const { options } = (await call('GET', '/projects/facets', boss)).json()
    expect(options.team_label__in).toEqual([
      { value: 't1', count: 2 },
      { value: 'none', count: 1 },
    ])
    const cards = async (query: string) =>
      pursuitListSchema
        .parse((await call('GET', `/pursuits?${query}`, boss)).json())
        .results.map(({ project_id }) => project_id)
    expect(await cards('team_label__in=t1')).toEqual([P2])
    expect(await cards('team_label__in=none')).toEqual([P3])
    expect(await cards(`team_label__in=t1&project_name__in=${encodeURIComponent('ไม่มีคำนี้')}`)).toEqual([])
    await db.execute(sql`delete from project_matches where project_id = ${P2}`)
    expect(await cards('team_label__in=t1')).toEqual([P2])
  })
})
