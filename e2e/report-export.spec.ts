import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Download, expect, type Page, test } from '@playwright/test'
import { readXlsx } from 'hucre/xlsx'
import { readZip } from '../test/read-zip.ts'
import { expectNoSidewaysScroll } from './page-facts.ts'
import { chooseInReportMenu } from './report-menu.ts'
import { MANAGER, readProjectIds, SALES, signIn, waitForProjectCount } from './sign-in.ts'

// Tests run one after the other, because at most two exports per organisation may run at once and one test expects an
// empty queue.
test.describe.configure({ mode: 'serial' })

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'ส่งออกรายงาน' })
const FILES = mkdtempSync(path.join(tmpdir(), 'tamngan-export-'))

async function openExport(page: Page) {
  await chooseInReportMenu(page, 'ส่งออก')
  await expect(dialogOf(page)).toBeVisible()
  return dialogOf(page)
}

async function saved(download: Download): Promise<string> {
  const file = path.join(FILES, `${Math.random().toString(36).slice(2)}-${download.suggestedFilename()}`)
  await download.saveAs(file)
  return file
}
const rowsIn = async (file: string) => (await readXlsx(new Uint8Array(readFileSync(file)))).sheets[0]!.rows

/** Reads the file with Gnumeric if installed, because it shares no code with the product. */
function readByGnumeric(file: string): string | undefined {
  try {
    return execFileSync('ssconvert', ['--export-type=Gnumeric_stf:stf_csv', file, 'fd://1'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    console.warn('SKIPPED: ssconvert (gnumeric) is not installed, the file was read by hucre alone')
    return undefined
  }
}

test('exports a filtered report by keyboard alone: same projects and order, typed cells, the filter on the second sheet', async ({
  page,
}) => {
  await signIn(page, SALES)
  await page.goto('/report?project_movement__in=invited&ordering=-project_budget&page_size=20')
  const total = await waitForProjectCount(page)
  const rowIds = await readProjectIds(page)
  const opener = page.getByRole('button', { name: 'ทำกับรายงาน' })
  await opener.focus()
  await page.keyboard.press('ArrowDown')
  const item = page.getByRole('menuitem', { name: 'ส่งออก' })
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  while (!(await item.evaluate((element) => element === document.activeElement))) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('button', { name: `ส่งออก ${total.toLocaleString('en-US')} โครงการ` })).toBeFocused()
  const downloading = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const file = await saved(await downloading)
  expect(path.basename(file)).toMatch(/-REPORT_\d{8}\.xlsx$/)

  const [header, ...rows] = await rowsIn(file)
  const id = header!.indexOf('เลขที่โครงการ')
  expect(rows).toHaveLength(total)
  expect(rows.slice(0, rowIds.length).map((row) => row[id])).toEqual(rowIds)
  expect(new Set(rows.map((row) => row[header!.indexOf('ความเคลื่อนไหว')]))).toEqual(new Set(['ประกาศเชิญชวน']))
  const budgets = rows.map((row) => row[header!.indexOf('งบประมาณ')]).filter((value) => value !== null)
  expect(budgets).toEqual([...(budgets as number[])].sort((a, b) => b - a))
  const days = rows.map((row) => row[header!.indexOf('วันสิ้นสุดยื่นข้อเสนอ')]).filter((value) => value !== null)
  expect(days.every((day) => day instanceof Date)).toBe(true)
  const parts = readZip(readFileSync(file))
  expect(parts.get('xl/worksheets/sheet2.xml')).toContain('ประกาศเชิญชวน')
  expect([...parts].filter(([name, text]) => name.includes('sheet') && /<f[ >/]/.test(text))).toEqual([])
  const independent = readByGnumeric(file)
  if (independent !== undefined) for (const project of rowIds) expect(independent).toContain(project)

  await expect(dialog.getByRole('button', { name: /^ดาวน์โหลด REPORT_/ }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('exports selected rows and visible columns, also as CSV', async ({ page }) => {
  await signIn(page, SALES)
  const rowIds = await readProjectIds(page)
  for (const nth of [0, 2])
    await page.getByRole('table').locator('tbody tr[data-index]').nth(nth).getByRole('checkbox').check()
  await page.getByRole('region', { name: 'ทำกับโครงการที่เลือก' }).getByRole('button', { name: 'ส่งออก' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByText('โครงการ ที่เลือกไว้')).toBeVisible()
  await dialog.getByRole('radio', { name: /CSV/ }).check()
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'ส่งออก 2 โครงการ' }).click()
  const text = readFileSync(await saved(await downloading), 'utf8')
  expect(text.startsWith('\uFEFF')).toBe(true)
  const lines = text.slice(1).trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  expect([rowIds[0], rowIds[2]].every((id) => lines.some((line) => line.includes(id!)))).toBe(true)
})

test('shows and cancels progress, retries a failed download, and continues when the dialog is closed', async ({
  page,
}) => {
  await signIn(page, MANAGER)
  // The responses describe a slow export, because a real one takes only a second.
  let state = 'running'
  let isRequested = false
  await page.route('**/api/v2/projects/exports', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    isRequested ||= route.request().method() === 'POST'
    // Before the export is requested, the newest one in the list comes from a test above, so the response is not
    // changed.
    if (!isRequested || route.request().method() === 'POST') return route.fulfill({ response: answer, json: body })
    const [first, ...rest] = body.exports
    const slow = { ...first, state, done: state === 'running' ? 4_000 : 0, total: 12_000, in_background: true }
    await route.fulfill({ response: answer, json: { exports: [slow, ...rest] } })
  })
  await page.route('**/api/v2/projects/exports/*/cancel', async (route) => {
    const answer = await route.fetch()
    state = 'cancelled'
    await route.fulfill({ response: answer, json: { ...(await answer.json()), state } })
  })
  const dialog = await openExport(page)
  await dialog.getByRole('button', { name: /^ส่งออก [\d,]+ โครงการ$/ }).click()
  const bar = dialog.getByRole('progressbar', { name: 'ส่งออกแล้ว' })
  await expect(bar).toHaveAttribute('aria-valuetext', '4,000 จาก 12,000 โครงการ')
  await dialog.getByRole('button', { name: /^ยกเลิก REPORT_/ }).click()
  await expect(bar).toHaveCount(0)
  await expect(dialog.getByText('ยกเลิกแล้ว').first()).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })

  let lost = 0
  await page.route('**/api/v2/projects/exports/*/file', async (route) => {
    lost += 1
    if (lost > 1) return route.fallback()
    await route.abort()
  })
  await dialog.getByRole('button', { name: /^ส่งออก [\d,]+ โครงการ$/ }).click()
  await page.keyboard.press('Escape')
  const toast = page.getByText(/^ดาวน์โหลด REPORT_.* ไม่สำเร็จ/)
  await expect(toast).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'ลองใหม่' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^REPORT_\d{8}\.xlsx$/)
})

test('is in the report menu on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, SALES)
  await page.getByRole('button', { name: 'ทำกับรายงาน' }).click()
  await page.getByRole('menuitem', { name: 'ส่งออก' }).click()
  const dialog = dialogOf(page)
  await expectNoSidewaysScroll(page)
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: /^ส่งออก [\d,]+ โครงการ$/ }).click()
  await downloading
})
