import {
  type Follows,
  type FollowsPatch,
  followsPatchSchema,
  followsSchema,
  MAX_FOLLOWS,
} from '#contract/report/follow.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import {
  deleteFollow,
  type Follower,
  findFollowTargetName,
  insertFollow,
  listFollows,
  loadFollowSettings,
  saveFollowSettings,
} from './queries.ts'

const tags = ['follow']
const config = { feature: 'report', demo: 'forbidden' } as const

async function loadFollows(db: Db, userId: number): Promise<Follows> {
  return { follows: await listFollows(db, userId), ...(await loadFollowSettings(db, userId)) }
}

async function patchFollows(
  db: Db,
  follower: Follower,
  { add, remove, bell, mail }: FollowsPatch,
  at: Date,
): Promise<Follows> {
  const { userId, organisationId } = follower
  return db.transaction(async (tx) => {
    if (remove) await deleteFollow(tx, userId, remove)
    if (add) {
      const name = await findFollowTargetName(tx, add, organisationId)
      if (name === undefined) throw new ProblemError('not_found')
      const { length } = await listFollows(tx, userId)
      if (length >= MAX_FOLLOWS)
        throw new ProblemError('bad_input', { text: `รับแจ้งได้ไม่เกิน ${MAX_FOLLOWS} รายการ เลิกรับแจ้งบางรายการก่อน` })
      await insertFollow(tx, follower, { kind: add.kind, key: add.key, name }, at)
    }
    if (bell || mail) {
      const before = await loadFollowSettings(tx, userId)
      await saveFollowSettings(tx, follower, {
        bell: [...new Set(bell ?? before.bell)],
        mail: [...new Set(mail ?? before.mail)],
      })
    }
    return loadFollows(tx, userId)
  })
}

export function followRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  app.get(
    '/users/me/follows',
    { config, schema: { tags, summary: 'List what the user follows', response: { 200: followsSchema } } },
    async (request) => loadFollows(db, (await context.actorOf(request)).userId),
  )
  app.patch(
    '/users/me/follows',
    {
      config,
      schema: {
        tags,
        summary:
          'Follow or unfollow an agency, company or project. Can also choose what triggers bell and mail notifications',
        body: followsPatchSchema,
        response: { 200: followsSchema },
      },
    },
    async (request) => patchFollows(db, await context.actorOf(request), request.body, context.now()),
  )
}
