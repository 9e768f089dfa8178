import { expect, type Locator, type Page, test } from '@playwright/test'
import { addOlderWord, openNewTerms } from './older-terms.ts'
import { type Account, createOrganisation } from './own.ts'
import { waitTwoFrames, waitUntilStored } from './page-facts.ts'
import { MANAGER, readProjectIds, signIn } from './sign-in.ts'

const WORD = 'เตียงผู้ป่วย'
const TERMS = /\/keywords\/\d+\/terms$/
const LESSON = /\/keywords\/\d+\/lesson$/
const LISTS = /\/organisations\/me$/

/** One organisation per worker: a retry runs in a new worker, so words saved by the first try do not interfere. */
let edited: Account
test.beforeAll(async () => {
  edited = await createOrganisation(['เครื่องมือแพทย์'])
})
const enter = (page: Page) => signIn(page, edited.email, '/report', edited.password)

/** Waits until the lesson accepts an answer: keys do nothing while the next title is chosen. */
async function waitForQuestion(lesson: Locator): Promise<void> {
  await expect(lesson.getByRole('button', { name: 'ไม่เกี่ยว', exact: true })).not.toHaveAttribute('aria-disabled', 'true')
  await waitTwoFrames(lesson.page())
}

test('an AI word shows its similar terms; a tick changes the preview, is saved with the word and can be cleared on its card', async ({
  page,
}) => {
  await enter(page)
  await page.goto('/watch?list=ai_include')
  await page.getByRole('textbox', { name: /^คำใหม่/ }).fill(WORD)
  const adding = page.getByRole('region', { name: 'เพิ่มคำ' })
  const terms = adding.getByRole('group', { name: `คำใกล้เคียงของ ${WORD}` })
  const preview = page.getByRole('region', { name: 'ผลกับรายงานก่อนบันทึก' })
  await expect(preview.getByText(/^ทั้งรายงานวันทำการละ/)).toBeVisible()
  const suggestion = terms.getByRole('checkbox', { checked: false }).first()
  const name = (await suggestion.innerText()).split('\n')[0]!.trim()
  // Other terms may begin with the name.
  const named = new RegExp(`^${name}(\\s|$)`)
  const previewRequest = page.waitForRequest(
    (request) => request.url().endsWith('/keywords/preview') && (request.postData() ?? '').includes(`"${name}"`),
  )
  await suggestion.click()
  expect((await previewRequest).postDataJSON().add.ai_include[0].terms).toEqual(expect.arrayContaining([WORD, name]))
  await waitUntilStored(page, () => adding.getByRole('button', { name: `เพิ่ม “${WORD}”` }).click(), LISTS)

  const card = page.getByRole('article', { name: WORD })
  const ticked = card.getByRole('checkbox', { name: named })
  await expect(ticked).toBeChecked()
  await waitUntilStored(page, () => ticked.press('Space'), TERMS)
  await expect(ticked).not.toBeChecked()
  await card.getByRole('button', { name: /^ตรวจด้วยชื่อจริง \d+ คำ$/ }).press('Enter')
  const judged = card.getByRole('list', { name: `ตรวจคำของ ${WORD} ด้วยชื่อโครงการ` }).locator('> li')
  await judged.first().focus()
  await expect(judged.first()).toBeFocused()
  await waitUntilStored(page, () => page.keyboard.press('n'), TERMS)
  await expect(judged.first().getByRole('button', { name: 'ไม่' })).toHaveAttribute('aria-pressed', 'true')
  await expect(judged.nth(1)).toBeFocused()
  await page.reload()
  await expect(card.getByText(/^ขยายเป็น \d+ คำ$/)).toBeVisible()
  await expect(card.getByRole('checkbox', { name: named, checked: true })).toHaveCount(0)

  await card.getByRole('link', { name: /^สอนด้วยตัวอย่าง/ }).press('Enter')
  const lesson = page.getByRole('dialog', { name: `สอน “${WORD}” ด้วยตัวอย่าง` })
  await expect(lesson.getByText('ข้อ 1 จากราว 20')).toBeVisible()
  for (const [key, next] of [
    ['ArrowRight', 2],
    ['k', 3],
    ['u', 2],
  ] as const) {
    await waitForQuestion(lesson)
    await waitUntilStored(page, () => page.keyboard.press(key), LESSON)
    await expect(lesson.getByText(`ข้อ ${next} จากราว 20`)).toBeVisible()
  }
  await page.keyboard.press('Escape')
  await expect(lesson).toBeHidden()
  await expect(page).not.toHaveURL(/lesson=/)
  await page.reload()
  await card.getByRole('link', { name: /^สอนด้วยตัวอย่าง/ }).press('Enter')
  await expect(lesson.getByText('ข้อ 2 จากราว 20')).toBeVisible()
})

test('the user accepts or rejects new terms of a saved word by keyboard; another tab follows, and no term is offered twice', async ({
  page,
}) => {
  const word = 'เครื่องปรับอากาศ'
  await enter(page)
  expect(await addOlderWord(page, word, 2)).toBe(2)
  const otherPage = await page.context().newPage()
  await otherPage.goto('/watch')
  const otherCard = otherPage.getByRole('article', { name: word })
  await expect(otherCard.getByRole('button', { name: 'มีคำใกล้เคียงใหม่ 2 คำ' })).toBeVisible()

  await openNewTerms(page, word)
  const card = page.getByRole('article', { name: word })
  const rows = card.getByRole('list', { name: `คำใหม่ของ ${word}` }).locator('> li')
  const names = [await rows.nth(0).getAttribute('aria-label'), await rows.nth(1).getAttribute('aria-label')]
  await rows.first().focus()
  for (const [key, left] of [
    ['y', 1],
    ['n', 0],
  ] as const) {
    await expect(rows.first()).toBeFocused()
    await waitUntilStored(page, () => page.keyboard.press(key), TERMS)
    await expect(rows).toHaveCount(left)
  }
  await expect(card.getByRole('group', { name: `คำใหม่ของ ${word}` })).toBeFocused()
  await expect(otherCard.getByRole('button', { name: /^มีคำใกล้เคียงใหม่/ })).toHaveCount(0)
  await page.reload()
  await expect(card.getByRole('checkbox', { name: new RegExp(`^${names[0]} `), checked: true })).toBeVisible()
  await expect(card.getByRole('button', { name: /^มีคำใกล้เคียงใหม่/ })).toHaveCount(0)
  await otherPage.close()
})

test('teaching a word before saving updates its chips, and the lesson continues after saving', async ({ page }) => {
  const word = 'กล้องวงจรปิด'
  await enter(page)
  await page.goto('/watch?list=ai_include')
  await page.getByRole('textbox', { name: /^คำใหม่/ }).fill(word)
  const adding = page.getByRole('region', { name: 'เพิ่มคำ' })
  await adding.getByRole('button', { name: 'สอนด้วยตัวอย่าง' }).press('Enter')
  const lesson = page.getByRole('dialog', { name: `สอน “${word}” ด้วยตัวอย่าง` })
  await expect(lesson.getByText('ข้อ 1 จากราว 20')).toBeVisible()
  const use = lesson.getByRole('button', { name: /^ใช้ผลนี้/ })
  let count = 0
  await waitForQuestion(lesson)
  while (!(await use.isVisible()) && count < 15) {
    await page.keyboard.press('j')
    count += 1
    await expect(lesson.getByText(`ข้อ ${count + 1} จากราว 20`)).toBeVisible()
    await waitForQuestion(lesson)
  }
  await use.click()
  await expect(adding.getByRole('button', { name: `สอนด้วยตัวอย่าง (ตอบแล้ว ${count} ข้อ)` })).toBeVisible()
  const sent = page.waitForRequest((request) => request.method() === 'POST' && LISTS.test(request.url()))
  // The test waits for the server, because a page loaded before the word is stored shows the lists without the word.
  await waitUntilStored(page, () => adding.getByRole('button', { name: `เพิ่ม “${word}”` }).click(), LISTS)
  const [entry] = (await sent).postDataJSON().ai_include_keywords
  expect(entry.lesson.answers).toHaveLength(count)
  const turned = entry.lesson.turned.length
  expect(turned).toBeGreaterThan(0)
  await page.reload()
  const card = page.getByRole('article', { name: word, exact: true })
  await card.getByRole('link', { name: /^สอนด้วยตัวอย่าง/ }).press('Enter')
  await expect(lesson.getByRole('button', { name: `คำตอบที่ให้ไว้ ${count} ข้อ` })).toBeVisible()
  await expect(lesson.getByRole('button', { name: 'เลิกใช้ผลจากตัวอย่าง' })).toBeVisible()
})

test('the page explains why a project is not in the report, and lets the user try a word of its name', async ({
  page,
  browser,
}) => {
  const managerPage = await browser.newPage()
  await signIn(managerPage, MANAGER)
  const [id] = await readProjectIds(managerPage)
  await managerPage.close()
  // The test uses a new organisation, because a term that another test has switched off may be in the name of today's
  // first project.
  const { email, password } = await createOrganisation(['ประภาคารกลางทะเล'])
  await signIn(page, email, '/report', password)
  await page.goto('/watch?tab=why')
  await page.getByRole('textbox', { name: 'เลขที่โครงการ' }).fill(`เลขที่โครงการ ${id}`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`project=${id}$`))
  const answer = page.getByRole('article', { name: `คำตอบของโครงการ ${id}` })
  await expect(answer.getByText(/^ไม่อยู่ในรายงาน ติด \d เงื่อนไข$/)).toBeVisible()
  const offer = answer.getByRole('group', { name: 'เพิ่มคำจากชื่อโครงการนี้' }).getByRole('link').first()
  const word = await offer.innerText()
  await offer.click()
  await expect(page.getByRole('textbox', { name: /^คำใหม่/ })).toHaveValue(word)
  await expect(page.getByText(/^30 วันที่ผ่านมา จะเพิ่ม$/)).toBeVisible()
  await page.goBack()
  await expect(answer).toBeVisible()
})
