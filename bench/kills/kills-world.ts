import { writeFileSync } from 'node:fs'
import path from 'node:path'
import sql from 'sql-template-tag'
import type { User } from '#contract/account/user.ts'
import { buildTrialOrganisation } from '#server/account/organisation/build-trial-organisation.ts'
import { importDataFile } from '#server/jobs/intake/import-data-file.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { addBudgetOrganisation, BUDGET_PASSWORD } from '../../test/world/budget-world.ts'
import { addUser } from '../../test/world/report-world.ts'
import type { Stage } from './kills-stage.ts'

/** Every imported title contains it, and the organisation watches it. */
export const WATCHED_WORD = 'สอบกู้คืน'
export const BASE_PROJECT_COUNT = 2_500
/** Number of words that no watch list contains yet. Each word is in the same number of base projects. */
export const GROUP_COUNT = 50
export const getGroupWord = (n: number) => `หมวดสินค้า${String(n).padStart(3, '0')}ก`
export const getBaseProjectId = (n: number) => String(67_000_000_000 + n)

/** Date limits so wide that results do not depend on the day of the run. */
const NO_DATES = {
  report_start_date: '2010-10-01',
  start_date_report: '2010-10-01',
  end_date_report: '2040-09-30',
  start_date_budgetyear: '2010-10-01',
  end_date_budgetyear: '2040-09-30',
}

export type KillsWorld = { readonly organisationId: number; readonly emails: readonly string[] }

export async function createWorld(stage: Stage): Promise<KillsWorld> {
  const db = await stage.open()
  try {
    await migrateDatabase(db)
    const { customer_config: usual } = buildTrialOrganisation({ code: 'kills', name: 'kills' }, '2026-11-21')
    const config = { ...usual, ...NO_DATES, not_allow_start_time: '00:00:00', not_allow_end_time: '00:00:00' }
    const input = { config, words: { include: [WATCHED_WORD] } }
    const { organisationId, email } = await addBudgetOrganisation(db, {}, input)
    for (let more = 0; more < 3; more += 1) await addUser(db, organisationId)
    await db.execute(sql`update users set password_hash = (select password_hash from users where email = ${email})`)
    const titles = Array.from(
      { length: BASE_PROJECT_COUNT },
      (_, n) => `จัดซื้อ ${getGroupWord(n % GROUP_COUNT)} แห่งที่ ${n}`,
    )
    const file = writeProjects(stage.dataDir, 'base.csv', 67_000_000_000, titles)
    await importDataFile(db, { file }, { dataDir: stage.dataDir })
    const users = await db.query<{ email: string }>(sql`select email from users order by id`)
    return { organisationId, emails: users.map((user) => user.email) }
  } finally {
    await db.close()
  }
}

export function writeProjects(folder: string, name: string, firstId: number, titles: readonly string[]): string {
  const file = path.join(folder, name)
  const rows = titles.map((title, n) => `${firstId + n},${title},กรมทดสอบ ${n % 40},${1_000_000 + n},2026-11-10`)
  writeFileSync(file, ['project_id,project_name,dept_name,project_money,announce_date', ...rows].join('\n'))
  return file
}

const BUDGET_HEADER =
  ',ITEM_ID,REF_DOC,REF_PAGE_NO,MINISTRY,BUDGETARY_UNIT,CROSS_FUNC?,BUDGET_PLAN,OUTPUT,PROJECT,CATEGORY_LV1,CATEGORY_LV2,CATEGORY_LV3,CATEGORY_LV4,CATEGORY_LV5,CATEGORY_LV6,ITEM_DESCRIPTION,FISCAL_YEAR,AMOUNT,OBLIGED?'

export function writeBudget(folder: string, items: number): string {
  const file = path.join(folder, `budget-${items}.csv`)
  const rows = Array.from(
    { length: items },
    (_, n) =>
      `0,${n},2027.3.1,1,กระทรวงตัวอย่าง,กรมที่ ${n % 30},FALSE,แผนงานพื้นฐาน,ผลผลิต,,งบลงทุน,ครุภัณฑ์,,,,,${WATCHED_WORD} รายการที่ ${n},2570,${1_000 + n},`,
  )
  writeFileSync(file, [BUDGET_HEADER, ...rows].join('\n'))
  return file
}

/** The response to a request; undefined when the connection was cut and the outcome is unknown. */
export type Answer<T = unknown> = { readonly status: number; readonly body: T } | undefined

export type Caller = {
  send<T>(method: string, url: string, body?: unknown): Promise<Answer<T>>
  get<T>(url: string): Promise<T>
  file(url: string): Promise<Uint8Array>
}

/** Logs in a user. Tokens survive server restarts, and `base` stays valid because the port is fixed. */
export async function logIn(base: string, email: string): Promise<Caller> {
  const api = `${base}/api/v2`
  const json = { 'content-type': 'application/json' }
  const login = await fetch(`${api}/auth/login/`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email, password: BUDGET_PASSWORD }),
  })
  if (!login.ok) throw new Error(`login failed: ${login.status} ${await login.text()}`)
  const { access } = (await login.json()) as { access: string }
  const headers = { authorization: `Bearer ${access}` }
  async function send<T>(method: string, url: string, body?: unknown): Promise<Answer<T>> {
    try {
      const answer = await fetch(`${api}${url}`, {
        method,
        headers: body === undefined ? headers : { ...headers, ...json },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as T }
    } catch {
      return undefined
    }
  }
  return {
    send,
    async get<T>(url: string) {
      const answer = await send<T>('GET', url)
      if (answer?.status !== 200) throw new Error(`GET ${url}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
      return answer.body
    },
    async file(url) {
      const answer = await fetch(`${api}${url}`, { headers })
      if (!answer.ok) throw new Error(`GET ${url}: ${answer.status}`)
      return new Uint8Array(await answer.arrayBuffer())
    },
  }
}

export async function countProjectsByWord(caller: Caller, word: string): Promise<number> {
  const query = new URLSearchParams({ project_name__in: word, page_size: '20' })
  return (await caller.get<{ total_project: number }>(`/projects?${query}`)).total_project
}

export const fetchCurrentUser = (caller: Caller) => caller.get<User>('/users/me')

export type Outcome = { acknowledged: number; readonly lost: string[]; readonly halfApplied: string[] }

export type KillRun = { kills: number; random: () => number; outcome: Outcome; say(line: string): void }

export const createOutcome = (): Outcome => ({ acknowledged: 0, lost: [], halfApplied: [] })
