import { expect, type Page } from '@playwright/test'
import { createColleague } from './own.ts'
import { waitUntilMarketLoaded } from './page-facts.ts'
import { readProjectIds, signIn } from './sign-in.ts'

/** The widest window of the layout checks. */
export const WIDE = { width: 1440, height: 900 } as const

const SETTINGS = [
  ...['me', 'me&part=security', 'me&part=display', 'notifications', 'team', 'team&part=stages'],
  ...['team&part=qualifications', 'team&part=package', 'connect', 'connect&part=webhooks'],
]

export type World = { readonly project: string; readonly company: string; readonly agency: string }

export const screensOf = ({ project, company, agency }: World): readonly string[] => [
  '/report',
  '/report?project_bidding__in=open&ordering=submission_end_date',
  '/report?project_status__in=in_progress&project_budget__range=500000,90000000&check_sme=true&project_name__in=ซื้อ%7C%7Cจ้าง%7C%7Cก่อสร้าง',
  '/report?view=who_wins&market=true',
  '/report?ends_within=730&view=contract_ends',
  '/report?is_archived=true',
  '/report?project_hidden=true',
  '/report?project_bookmark=true',
  '/report#saved-filters',
  '/report#labels',
  '/report#columns',
  ...['', '?tab=prices', '?tab=bidders', '?tab=files', '?tab=changes'].map((tab) => `/report/${project}${tab}`),
  '/report/11111111111',
  '/board',
  '/calendar',
  '/calendar?view=week',
  '/calendar?view=agenda',
  '/results?all=true',
  '/watch',
  '/watch?tab=hidden',
  '/watch?tab=why',
  '/companies',
  `/companies/${encodeURIComponent(company)}`,
  `/agencies/${encodeURIComponent(agency)}`,
  '/company-comparison',
  '/budget',
  ...SETTINGS.map((tab) => `/settings?tab=${tab}`),
  '/coverage',
  '/logs',
  '/group-watch',
  '/nowhere',
]

/**
 * Signs in a colleague with long names, a hidden project, a star, a label and saved filters. Returns ids for the
 * screens.
 */
export async function signInWithAll(page: Page): Promise<World> {
  const { email, password } = createColleague('tharamek', 'super_user')
  await page.setViewportSize(WIDE)
  await signIn(page, email, '/report', password)
  const [project, hidden] = (await readProjectIds(page, 2)) as [string, string]
  const facts = await page.evaluate(
    async ([starred, away]) => {
      const { access } = JSON.parse(localStorage.getItem('tamngan.session')!) as { access: string }
      const send = async (method: string, address: string, body?: object) => {
        const answer = await fetch(`/api/v2${address}`, {
          method,
          headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
        if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`)
        return await answer.json()
      }
      const data = { filter: { bookmark: true }, search: [] }
      const patches = [
        { first_name: 'พระนางเจ้าสุวัทนา', last_name: 'เทพหัสดินทร์ ณ อยุธยาธิบดี' },
        { hide_action: { action: 'add', project_id: away } },
        { bookmark_action: 'add', project_bookmark: [starred] },
        {
          label_action: 'create_label',
          project_id: starred,
          label_id: 'long',
          label_name: 'ป้ายกำกับชื่อยาวที่สุดเท่าที่คนตั้ง',
          label_color: 'sky',
        },
        ...[1, 2, 3, 4, 5, 6].map((n) => ({
          filter_action: 'add',
          filter_id: `f${n}`,
          filterName: `ตัวกรองที่บันทึกไว้ชื่อยาวพอสมควร ${n}`,
          filterData: data,
        })),
      ]
      for (const patch of patches) await send('PATCH', '/users/me', patch)
      await send('PATCH', `/pursuits/${starred}`, { actions: [{ action: 'decide', decision: 'bid' }] })
      const { results } = (await send('GET', '/companies')) as { results: { name: string }[] }
      const { results: rows } = (await send('GET', '/projects')) as { results: { dept_name: string }[] }
      return { company: results[0]!.name, agency: rows[0]!.dept_name }
    },
    [project, hidden] as const,
  )
  return { project, ...facts }
}

/** Waits until the screen has its heading, its data and its fonts. */
export async function drawn(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached()
  await waitUntilMarketLoaded(page)
  await page.evaluate(() => document.fonts.ready)
}
