import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { runAdmin } from './admin.ts'
import { lastLine, NAMED } from './operator.ts'
import { ownServer } from './servers.ts'

/**
 * What belongs to one try of one test alone. Tests of a project share a server, and a test that is tried again meets what its first try has left there:
 * a name that is taken, a word that stands in the list, a tender that is decided.
 */

let count = 0
/** Two numbers that no other try of this run has: a worker that was started anew has another index. */
function numbers(): readonly [worker: number, count: number] {
  count += 1
  return [test.info().workerIndex, count]
}

/** Small letters, which may stand in names, addresses and codes. */
export const unique = (): string => numbers().map(lettersOf).join('x')
const lettersOf = (number: number) => String(number).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)

/** A phone number: each belongs to one account. */
export function uniquePhone(): string {
  const [worker, at] = numbers()
  return `089${String(worker).padStart(3, '0')}${String(at).padStart(4, '0')}`
}

export type Account = { readonly email: string; readonly password: string }

/** An account in an organisation of the sample. */
export function makeColleague(organisation: string, role: 'super_user' | 'member_user'): Account {
  const email = `own-${unique()}@${organisation}.example`
  return { email, password: lastLine(runAdmin('create-user', organisation, email, ...NAMED, '--role', role)) }
}

/** An organisation with these words in its names, whose lists are open at any hour and matched, and its account. */
export async function makeOrganisation(words: readonly string[]): Promise<Account> {
  const code = `own-${unique()}`
  runAdmin('create-organisation', code, `บริษัท ทดลอง ${code} จำกัด`)
  runAdmin('set-window', code, 'off')
  const account = makeColleague(code, 'super_user')
  const login = await send('POST', '/auth/login/', undefined, account)
  const { access } = login as { access: string }
  await send('POST', '/organisations/me', access, { include_keywords: words.map((word) => ({ word })) })
  await send('PATCH', '/organisations/me', access, { update_register_status: { is_watchlist_completed: true } })
  const matching = async () => ((await send('GET', '/organisations/me/matching', access)) as { state: string }).state
  await expect.poll(matching, { timeout: 60_000 }).toBe('idle')
  return account
}

/** Rejects when the answer is a refusal. */
async function send(method: string, address: string, access?: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${ownServer().url}/api/v2${address}`, {
    method,
    headers: {
      ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`)
  return await answer.json()
}

/** The access token of who is signed in on this page. */
const accessOf = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('tamngan.session')!) as { access: string }).access)

/** A project of this person's report that the team does not work on, and that no other test or try takes. The start of the server forgets what was taken. */
export async function takeProject(page: Page): Promise<string> {
  const access = await accessOf(page)
  const { results } = (await send('GET', '/projects?page_size=100', access)) as Rows
  const folder = ownServer().takenDir
  mkdirSync(folder, { recursive: true })
  const taken = results.find(({ project_id: id, pursuit }) => pursuit === null && take(path.join(folder, id)))
  if (taken === undefined) throw new Error('no project of the report is left to take')
  return taken.project_id
}

type Rows = { readonly results: readonly { readonly project_id: string; readonly pursuit: object | null }[] }

/** Makes the file; false when another worker has made it. */
function take(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
