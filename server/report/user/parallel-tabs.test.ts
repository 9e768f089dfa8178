import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProjectLabelIds, isSameDisplayName } from '#contract/account/label.ts'
import type { User } from '#contract/account/user.ts'
import { applyUserPatch } from '#contract/report/apply-user-patch.ts'
import { getActionTargetProjectIds } from '#contract/report/project-targets.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn, roundsOn } from '../../../test/server/databases.ts'
import { decodeClaims, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { NOTIFICATIONS, UNKNOWN_PROJECT, userPatchArbitrary } from '../../../test/user-patches.ts'
import { makeUserWorld, projectId, type UserWorld } from '../../../test/world/user-world.ts'

const TABS = 4
const ACTIONS = 40
const MAX_LABELS = 3

/**
 * True if the server must refuse the patch in this state, because of a limit, a taken name, a deleted item or an
 * unknown project.
 */
function refuses(user: User, patch: UserPatch): boolean {
  const { bookmark_action, hide_action, label_action: label, filter_action: filter } = patch
  const names = (action: Parameters<typeof getActionTargetProjectIds>[0]) =>
    getActionTargetProjectIds(action).includes(UNKNOWN_PROJECT)
  if ([bookmark_action, hide_action].some((action) => action?.action === 'add' && names(action))) return true
  const labels = user.project_labels
  if (label && label.action !== 'remove_assignment') {
    const existingLabel = labels.find(({ id }) => id === label.label_id)
    const isTaken = (newName: string) =>
      labels.some(({ id, name: existingName }) => id !== label.label_id && isSameDisplayName(existingName, newName))
    if (label.action === 'create_label') {
      if (names(label)) return true
      if (
        existingLabel
          ? !isSameDisplayName(existingLabel.name, label.label_name)
          : isTaken(label.label_name) || labels.length >= MAX_LABELS
      )
        return true
    } else if (label.action === 'assign_label' && (!existingLabel || names(label))) return true
    else if (label.action === 'rename_label' && (!existingLabel || isTaken(label.label_name))) return true
    else if (label.action === 'recolor_label' && !existingLabel) return true
  }
  if (!label && patch.project_label_assignments) {
    const labelIds = Object.values(patch.project_label_assignments).flat()
    if (labelIds.some((id) => !labels.some((existing) => existing.id === id))) return true
  }
  if (!filter || filter.action === 'remove') return false
  const existingFilter = user.project_save_filter_profile.find(({ id }) => id === filter.filter_id)
  const isTaken = (newName: string) =>
    user.project_save_filter_profile.some(
      ({ id, filterName }) => id !== filter.filter_id && isSameDisplayName(filterName, newName),
    )
  if (filter.action !== 'add') return !existingFilter || (filter.action === 'rename' && isTaken(filter.filterName))
  if (!existingFilter) return isTaken(filter.filterName)
  return (
    !isSameDisplayName(existingFilter.filterName, filter.filterName) ||
    JSON.stringify(existingFilter.filterData) !== JSON.stringify(filter.filterData)
  )
}

function read(patch: UserPatch): UserPatch {
  return JSON.parse(JSON.stringify(patch), (key, value) =>
    key === 'label_name' || key === 'filterName' ? String(value).trim() : value,
  )
}

const inOrder = (a: string, b: string) => (a < b ? -1 : 1)

/**
 * Serializes a user for comparison. The order of stars and of the labels of a project is ignored; labels and filters
 * are in order of creation.
 */
function print(user: User): string {
  const { project_label_assignments: assigned } = user
  return JSON.stringify({
    ...user,
    project_bookmark: [...user.project_bookmark].sort(inOrder),
    project_hidden: [...user.project_hidden].sort(inOrder),
    project_label_assignments: Object.keys(assigned)
      .sort(inOrder)
      .map((id) => [id, [...getProjectLabelIds(assigned, id)].sort(inOrder)]),
  })
}

type Done = {
  readonly patch: UserPatch /** `answer`: the user in the response; undefined if refused. */
  readonly answer: string | undefined
}

/**
 * True if some interleaving of the tabs' patches explains the outcome: each response equals the result of the plain
 * code, each refusal is justified, and the final state is that of the server.
 */
function isExplained(start: User, tabs: readonly (readonly Done[])[], end: string): boolean {
  const seen = new Set<string>()
  const visit = (at: readonly number[], user: User): boolean => {
    const state = print(user)
    const key = `${at.join()} ${state}`
    if (seen.has(key)) return false
    seen.add(key)
    if (tabs.every((tab, i) => at[i] === tab.length)) return state === end
    return tabs.some((tab, i) => {
      const next = tab[at[i]!]
      if (!next || refuses(user, next.patch) !== (next.answer === undefined)) return false
      const after = next.answer === undefined ? user : applyUserPatch(user, next.patch)
      if (next.answer !== undefined && print(after) !== next.answer) return false
      return visit(
        at.map((n, j) => (i === j ? n + 1 : n)),
        after,
      )
    })
  }
  return visit(
    tabs.map(() => 0),
    start,
  )
}

onEachEngineInTurn('parallel tabs', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let manager: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db)
    manager = await signIn(world.app, 'manager@tharamek.example')
    await db.execute(sql`update users set max_labels = ${MAX_LABELS}`)
  })
  afterAll(() => world.app.close())

  const clear = () =>
    db.script(`delete from bookmarks; delete from hidden_projects; delete from labels; delete from saved_filters;
      update users set customize_report_table = '[]', is_noti_e_bidding = false, notifications_click_read = true;
      delete from notifications;
      insert into notifications (id, user_id, organisation_id, type, export_id, created_at) overriding system value
        select g, ${decodeClaims(manager.access).sub}, 1, 'Export_ready', g::text, now() from generate_series(1, ${NOTIFICATIONS}) g`)

  async function run(tab: readonly UserPatch[]): Promise<Done[]> {
    const done: Done[] = []
    for (const patch of tab) {
      const { status, body } = await world.patch(manager, patch)
      expect([200, 400], JSON.stringify(body)).toContain(status)
      done.push({ patch: read(patch), answer: status === 200 ? print(body as User) : undefined })
    }
    return done
  }

  test(`R43: ${ACTIONS} actions from ${TABS} tabs end as in some sequential order`, async () => {
    let refused = 0
    const actions = fc.array(userPatchArbitrary, { minLength: ACTIONS, maxLength: ACTIONS })
    await fc.assert(
      fc.asyncProperty(actions, async (patches) => {
        await clear()
        const start = await world.me(manager)
        const tabs = Array.from({ length: TABS }, (_, i) => patches.filter((_patch, index) => index % TABS === i))
        const done = await Promise.all(tabs.map(run))
        refused += done.flat().filter(({ answer }) => answer === undefined).length
        expect(isExplained(start, done, print(await world.me(manager)))).toBe(true)
      }),
      { numRuns: roundsOn(db, 15), endOnFailure: true },
    )
    expect(refused).toBeGreaterThan(roundsOn(db, 15))
  }, 120_000)

  test('detects a lost or doubled action', async () => {
    await clear()
    const start = await world.me(manager)
    const star = (n: number): UserPatch => ({ bookmark_action: { action: 'add', project_id: projectId(n) } })
    const done = await Promise.all([run([star(1)]), run([star(2)])])
    const end = await world.me(manager)
    expect(isExplained(start, done, print(end))).toBe(true)
    expect(isExplained(start, done, print({ ...end, project_bookmark: [projectId(2)] }))).toBe(false)
    expect(isExplained(start, [done[0]!], print(end))).toBe(false)
  })

  test('40 tabs that star, label and hide different projects lose no change', async () => {
    await clear()
    const label = (n: number) => ({
      action: 'create_label',
      label_id: `l${n % MAX_LABELS}`,
      label_name: `ป้าย ${n % MAX_LABELS}`,
      label_color: 'sky',
    })
    const projectIds = Array.from({ length: 20 }, (_, i) => projectId(i + 1))
    await Promise.all(
      projectIds.flatMap((project_id, n) => [
        world.patched(manager, {
          bookmark_action: { action: 'add', project_id },
          hide_action: { action: 'add', project_id },
        }),
        world.patched(manager, { label_action: { ...label(n), project_id } }),
      ]),
    )
    const end = await world.me(manager)
    expect([...end.project_bookmark].sort(inOrder)).toEqual(projectIds)
    expect([...end.project_hidden].sort(inOrder)).toEqual(projectIds)
    expect(end.project_label_assignments).toEqual(
      Object.fromEntries(projectIds.map((id, n) => [id, [`l${n % MAX_LABELS}`]])),
    )
    await Promise.all(
      projectIds.map((project_id) => world.patched(manager, { bookmark_action: { action: 'remove', project_id } })),
    )
    expect((await world.me(manager)).project_bookmark).toEqual([])
  })
})
