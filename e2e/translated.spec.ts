import { expect, type Page, test } from '@playwright/test'
import { createColleague } from './own.ts'
import { waitTwoFrames, waitUntilMarketLoaded } from './page-facts.ts'
import { signIn } from './sign-in.ts'

/**
 * Changes the page like the translators of Chrome and Edge: every text node, including later ones, is replaced by two
 * nested `<font>` elements. The text stays the same, so that figures can be read.
 */
const translate = (page: Page) =>
  page.evaluate(() => {
    const swap = (root: Node) => {
      const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walk.nextNode()) {
        const text = walk.currentNode as Text
        if (text.data.trim() !== '' && !text.parentElement?.closest('script, style, font')) texts.push(text)
      }
      for (const text of texts) {
        const outer = document.createElement('font')
        const inner = document.createElement('font')
        inner.textContent = text.data
        outer.append(inner)
        if (text.data.length % 2 === 0) text.replaceWith(outer)
        else {
          text.parentNode!.insertBefore(outer, text)
          text.remove()
        }
      }
    }
    swap(document.body)
    document.documentElement.lang = 'en'
    document.documentElement.classList.add('translated-ltr')
    let isWaiting = false
    new MutationObserver((records) => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(() => {
        for (const { addedNodes } of records)
          for (const node of addedNodes) if (node instanceof HTMLElement && node.isConnected) swap(node)
        isWaiting = false
      })
    }).observe(document.body, { childList: true, subtree: true })
  })

const truth = (page: Page) =>
  page.evaluate(async () => {
    const { access } = JSON.parse(localStorage.getItem('tamngan.session')!) as { access: string }
    const headers = { authorization: `Bearer ${access}` }
    const answer = await fetch(`/api/v2/projects${location.search}`, { headers })
    const { total_project: total, results } = (await answer.json()) as {
      total_project: number
      results: { project_id: string }[]
    }
    return { total, first: results[0]?.project_id ?? '' }
  })

async function expectFigures(page: Page, act: () => Promise<unknown>, address: RegExp): Promise<void> {
  await act()
  await expect(page).toHaveURL(address)
  const { total, first } = await truth(page)
  await expect(page.getByText(`พบ ${total.toLocaleString('th-TH')} โครงการ`, { exact: true }).first()).toBeAttached()
  await expect(page.locator('main tr[data-index="0"]')).toContainText(first)
  await waitUntilMarketLoaded(page)
}

test('a translated page keeps working: scroll, page, filter, search, segment, queue, settings, sign-out, figures', async ({
  page,
}) => {
  test.slow()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && /NotFoundError|not a child/.test(message.text())) errors.push(message.text())
  })
  const { email, password } = createColleague('tharamek', 'super_user')
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, email, '/report', password)
  await page.goto('/report')
  await expect(page.locator('main tr[data-index="0"]')).toBeVisible()
  await waitUntilMarketLoaded(page)
  await translate(page)
  await waitTwoFrames(page)
  expect(await page.locator('main font').count()).toBeGreaterThan(100)

  const region = page.getByRole('region', { name: 'ตารางโครงการ เลื่อนได้' })
  for (const top of [1_500, 6_000, 0]) {
    await region.evaluate((element, to) => element.scrollTo(0, to), top)
    await waitTwoFrames(page)
  }
  await expectFigures(page, () => page.getByRole('button', { name: 'ถัดไป' }).click(), /page=2/)
  await expectFigures(page, () => page.getByRole('tab', { name: /^ประกาศผล/ }).click(), /bidding__in=awarded/)
  await expectFigures(
    page,
    () =>
      page
        .getByRole('tab', { name: /^ทั้งหมด/ })
        .first()
        .click(),
    /report$|report\?(?!.*bidding)/,
  )
  const filter = page.getByRole('complementary', { name: 'ตัวกรอง' }).getByRole('checkbox', { name: /^คงเดิม/ })
  await expectFigures(page, () => filter.click(), /change_status__in=no_change/)
  await expectFigures(page, () => filter.click(), /report$|report\?(?!.*change_status)/)
  const box = page.getByLabel(/^คำค้นใน/)
  await expectFigures(
    page,
    async () => {
      await box.fill('จ้าง')
      await page.keyboard.press('Enter')
    },
    /project_search__in/,
  )
  await expectFigures(page, () => page.keyboard.press('Backspace'), /report$|report\?(?!.*search__in)/)
  await page.keyboard.press('Escape')

  await page.goto('/report?queue=true')
  const queue = page.getByRole('dialog', { name: 'ไล่ดูรายการเช้านี้' })
  await expect(queue.getByRole('article')).toBeVisible()
  await translate(page)
  const readTitle = () => queue.getByRole('article').getByRole('heading').first().innerText()
  for (let step = 0; step < 3; step += 1) {
    const before = await readTitle()
    await page.keyboard.press('j')
    await expect.poll(readTitle).not.toBe(before)
  }
  await page.keyboard.press('Escape')
  await expect(queue).toHaveCount(0)
  const follow = async (menu: string, name: string, heading: string | RegExp = name) => {
    await page.getByRole('navigation', { name: menu }).getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading }).first()).toBeVisible()
    await waitUntilMarketLoaded(page)
  }
  await follow('เมนูหลัก', 'งานของเรา', 'บอร์ด')
  for (const name of ['ปฏิทิน', 'ผลงาน']) await follow('งานของเรา', name)
  await follow('เมนูหลัก', 'คำติดตาม', /./)
  for (const name of ['ข้อมูลบริษัท', 'งบประมาณประจำปี', 'รายงานโครงการ']) await follow('เมนูหลัก', name)
  await page.getByRole('button', { name: /^เมนูผู้ใช้/ }).click()
  await page.getByRole('button', { name: 'ออกจากระบบ' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByRole('button', { name: 'เข้าสู่ระบบ' })).toBeVisible()
  expect(errors).toEqual([])
})
