import sql from 'sql-template-tag'
import { type User, userSchema } from '#contract/account/user.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { appOn, type SignedIn } from '../server/http-app.ts'
import { addLoad, putProjects } from './report-world.ts'

export const projectId = (n: number) => `6700000${String(n).padStart(4, '0')}`

export type UserWorld = {
  readonly app: RouteApp
  me(user: SignedIn): Promise<User>
  patch(user: SignedIn, body: unknown): Promise<{ status: number; body: Record<string, unknown> }>
  patched(user: SignedIn, body: unknown): Promise<User>
}

/**
 * Creates the demo organisations, `projects` projects that any user may mark, and a server. The caller closes `app`.
 */
export async function makeUserWorld(
  db: Db,
  { projects = 20, now }: { projects?: number; now?: () => Date } = {},
): Promise<UserWorld> {
  await seedSampleOrganisations(db, '2026-11-21')
  await putProjects(db, await addLoad(db), [{ id: projectId(1) }])
  await db.execute(sql`
    insert into projects
    select (jsonb_populate_record(p, jsonb_build_object('project_id', '6700000' || lpad(n::text, 4, '0')))).*
    from projects p, generate_series(2, ${projects}::int) n where p.project_id = ${projectId(1)}`)
  const app = await appOn(db, now ? { now } : {})

  async function patch(user: SignedIn, body: unknown) {
    const answer = await app.inject({
      method: 'PATCH',
      url: '/api/v2/users/me',
      headers: { ...user.headers, 'content-type': 'application/json' },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
  }
  return {
    app,
    patch,
    async me(user) {
      const answer = await app.inject({ url: '/api/v2/users/me', headers: user.headers })
      return userSchema.parse(answer.json())
    },
    async patched(user, body) {
      const answer = await patch(user, body)
      if (answer.status !== 200) throw new Error(`not patched: ${answer.status} ${JSON.stringify(answer.body)}`)
      return userSchema.parse(answer.body)
    },
  }
}
