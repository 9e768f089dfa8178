import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { runAdmin } from './admin.ts'
import { getLastLine, NAME_ARGS } from './operator.ts'
import { currentServer } from './servers.ts'

/**
 * Data unique to one try of one test. Tests of a project share a server, and a retry meets what the first try has left:
 * a taken name, a word in the list, a decided tender.
 */

let count = 0
/** Returns two numbers that no other try of this run has, because a restarted worker has a new index. */
function numbers(): readonly [worker: number, count: number] {
  count += 1
  return [test.info().workerIndex, count]
}

export const createUniqueText = (): string => numbers().map(lettersOf).join('x')
const lettersOf = (number: number) => String(number).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)

export function createUniquePhone(): string {
  const [worker, at] = numbers()
  return `089${String(worker).padStart(3, '0')}${String(at).padStart(4, '0')}`
}

export type Account = { readonly email: string; readonly password: string }

export function createColleague(organisation: string, role: 'super_user' | 'member_user'): Account {
  const email = `own-${createUniqueText()}@${organisation}.example`
  return { email, password: getLastLine(runAdmin('create-user', organisation, email, ...NAME_ARGS, '--role', role)) }
}

/**
 * Creates an organisation that watches these words, has no closed hours, and whose matching is finished. Returns its
 * account.
 */
export async function createOrganisation(words: readonly string[]): Promise<Account> {
  const code = `own-${createUniqueText()}`
  runAdmin('create-organisation', code, `บริษัท ทดลอง ${code} จำกัด`)
  runAdmin('set-window', code, 'off')
  const account = createColleague(code, 'super_user')
  const login = await send('POST', '/auth/login/', undefined, account)
  const { access } = login as { access: string }
  await send('POST', '/organisations/me', access, { include_keywords: words.map((word) => ({ word })) })
  await send('PATCH', '/organisations/me', access, { update_register_status: { is_watchlist_completed: true } })
  const matching = async () => ((await send('GET', '/organisations/me/matching', access)) as { state: string }).state
  await expect.poll(matching, { timeout: 60_000 }).toBe('idle')
  return account
}

/** Calls the API of the current server, and throws unless it succeeds. */
export async function send(method: string, address: string, access?: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${currentServer().url}/api/v2${address}`, {
    method,
    headers: {
      // `runAdmin` blocks this process, which then does not notice that the server has closed an idle connection.
      connection: 'close',
      ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`)
  return await answer.json()
}

const accessOf = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('tamngan.session')!) as { access: string }).access)

/**
 * Returns a project of this user's report that the team does not work on and that no other test or try has taken.
 * Restarting the server resets the list of taken projects.
 */
export async function claimProject(page: Page): Promise<string> {
  const access = await accessOf(page)
  const { results } = (await send('GET', '/projects?page_size=100', access)) as Rows
  const folder = currentServer().takenDir
  mkdirSync(folder, { recursive: true })
  const taken = results.find(({ project_id: id, pursuit }) => pursuit === null && take(path.join(folder, id)))
  if (taken === undefined) throw new Error('no project of the report is left to take')
  return taken.project_id
}

type Rows = { readonly results: readonly { readonly project_id: string; readonly pursuit: object | null }[] }

function take(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
