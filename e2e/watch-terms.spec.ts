import { expect, test } from '@playwright/test'
import { runAdmin } from './admin.ts'
import { addOlderWord, openNews } from './older-terms.ts'
import { MANAGER, projectIds, signIn } from './sign-in.ts'

/** An organisation of the sample that no other test counts projects of. */
const EDITED = { email: 'trial@wetchapim.example', code: 'wetchapim' }
const WORD = 'เตียงผู้ป่วย'

// At night the lists of every organisation are closed.
test.beforeAll(() => {
  runAdmin('set-window', EDITED.code, 'off')
})

test('an AI word shows what it stands for; a tick changes the preview, is saved with the word and unticked on its card', async ({
  page,
}) => {
  await signIn(page, EDITED.email)
  await page.goto('/watch?list=ai_include')
  await page.getByRole('textbox', { name: /^คำใหม่/ }).fill(WORD)
  const adding = page.getByRole('region', { name: 'เพิ่มคำ' })
  const terms = adding.getByRole('group', { name: `คำใกล้เคียงของ ${WORD}` })
  const preview = page.getByRole('region', { name: 'ผลกับรายงานก่อนบันทึก' })
  await expect(preview.getByText(/^ทั้งรายงานวันทำการละ/)).toBeVisible()
  const suggestion = terms.getByRole('checkbox', { checked: false }).first()
  const name = (await suggestion.innerText()).split('\n')[0]!.trim()
  const asked = page.waitForRequest((request) => request.url().endsWith('/keywords/preview'))
  await suggestion.click()
  expect((await asked).postDataJSON().add.ai_include[0].terms).toEqual(expect.arrayContaining([WORD, name]))
  await adding.getByRole('button', { name: `เพิ่ม “${WORD}”` }).click()

  const card = page.getByRole('article', { name: WORD })
  const ticked = card.getByRole('checkbox', { name: new RegExp(`^${name}`) }).first()
  await expect(ticked).toBeChecked()
  const saved = page.waitForResponse((response) => /\/keywords\/\d+\/terms$/.test(response.url()))
  await ticked.press('Space')
  await expect(ticked).not.toBeChecked()
  expect((await saved).status()).toBe(200)
  // Every term can be judged by the titles that it adds, by keys too.
  await card.getByRole('button', { name: /^ตรวจด้วยชื่อจริง \d+ คำ$/ }).press('Enter')
  const judged = card.getByRole('list', { name: `ตรวจคำของ ${WORD} ด้วยชื่อโครงการ` }).locator('> li')
  await judged.first().focus()
  const answered = page.waitForResponse((response) => /\/keywords\/\d+\/terms$/.test(response.url()))
  await page.keyboard.press('n')
  expect((await answered).status()).toBe(200)
  await expect(judged.first().getByRole('button', { name: 'ไม่' })).toHaveAttribute('aria-pressed', 'true')
  await expect(judged.nth(1)).toBeFocused()
  await page.reload()
  await expect(card.getByText(/^ขยายเป็น \d+ คำ$/)).toBeVisible()
  await expect(card.getByRole('checkbox', { name: new RegExp(`^${name}`), checked: true })).toHaveCount(0)

  // Titles are answered by keys alone, one after the other, and the last answer is taken back; Escape leaves, the answers stay.
  await card.getByRole('link', { name: /^สอนด้วยตัวอย่าง/ }).press('Enter')
  const lesson = page.getByRole('dialog', { name: `สอน “${WORD}” ด้วยตัวอย่าง` })
  await expect(lesson.getByText('ข้อ 1 จากราว 20')).toBeVisible()
  for (const [key, next] of [
    ['ArrowRight', 2],
    ['k', 3],
    ['u', 2],
  ] as const) {
    const stored = page.waitForResponse((response) => /\/keywords\/\d+\/lesson$/.test(response.url()))
    await page.keyboard.press(key)
    expect((await stored).status()).toBe(200)
    await expect(lesson.getByText(`ข้อ ${next} จากราว 20`)).toBeVisible()
  }
  await page.keyboard.press('Escape')
  await expect(lesson).toBeHidden()
  await expect(page).not.toHaveURL(/lesson=/)
  await page.reload()
  await card.getByRole('link', { name: /^สอนด้วยตัวอย่าง/ }).press('Enter')
  await expect(lesson.getByText('ข้อ 2 จากราว 20')).toBeVisible()
})

test('what today makes otherwise of a saved word is taken or left by keys; another tab follows, and nothing is asked twice', async ({
  page,
}) => {
  const word = 'เครื่องปรับอากาศ'
  await signIn(page, EDITED.email)
  expect(await addOlderWord(page, word, 2)).toBe(2)
  const other = await page.context().newPage()
  await other.goto('/watch')
  const theirs = other.getByRole('article', { name: word })
  await expect(theirs.getByRole('button', { name: 'มีคำใกล้เคียงใหม่ 2 คำ' })).toBeVisible()

  await openNews(page, word)
  const card = page.getByRole('article', { name: word })
  const rows = card.getByRole('list', { name: `คำใหม่ของ ${word}` }).locator('> li')
  const names = [await rows.nth(0).getAttribute('aria-label'), await rows.nth(1).getAttribute('aria-label')]
  await rows.first().focus()
  for (const key of ['y', 'n']) {
    const answered = page.waitForResponse((response) => /\/keywords\/\d+\/terms$/.test(response.url()))
    await page.keyboard.press(key)
    expect((await answered).status()).toBe(200)
  }
  await expect(rows).toHaveCount(0)
  await expect(card.getByRole('group', { name: `คำใหม่ของ ${word}` })).toBeFocused()
  await expect(theirs.getByRole('button', { name: /^มีคำใกล้เคียงใหม่/ })).toHaveCount(0)
  await page.reload()
  await expect(card.getByRole('checkbox', { name: new RegExp(`^${names[0]} `), checked: true })).toBeVisible()
  await expect(card.getByRole('button', { name: /^มีคำใกล้เคียงใหม่/ })).toHaveCount(0)
  await other.close()
})

test('a word is taught before it is saved: the result turns its chips, and the lesson goes on after saving', async ({
  page,
}) => {
  const word = 'คอมพิวเตอร์'
  await signIn(page, EDITED.email)
  await page.goto('/watch?list=ai_include')
  await page.getByRole('textbox', { name: /^คำใหม่/ }).fill(word)
  const adding = page.getByRole('region', { name: 'เพิ่มคำ' })
  await adding.getByRole('button', { name: 'สอนด้วยตัวอย่าง' }).press('Enter')
  const lesson = page.getByRole('dialog', { name: `สอน “${word}” ด้วยตัวอย่าง` })
  await expect(lesson.getByText('ข้อ 1 จากราว 20')).toBeVisible()
  const use = lesson.getByRole('button', { name: /^ใช้ผลนี้/ })
  // All is meant: sooner or later a term that waited acts.
  let count = 0
  const no = lesson.getByRole('button', { name: 'ไม่เกี่ยว', exact: true })
  while (!(await use.isVisible()) && count < 15) {
    // While the next title is chosen a key answers nothing.
    await expect(no).not.toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('j')
    count += 1
    await expect(lesson.getByText(`ข้อ ${count + 1} จากราว 20`)).toBeVisible()
    await expect(no).not.toHaveAttribute('aria-disabled', 'true')
  }
  await use.click()
  await expect(adding.getByRole('button', { name: `สอนด้วยตัวอย่าง (ตอบแล้ว ${count} ข้อ)` })).toBeVisible()
  const saved = page.waitForRequest(
    (request) => request.method() === 'POST' && /\/organisations\/me$/.test(request.url()),
  )
  await adding.getByRole('button', { name: `เพิ่ม “${word}”` }).click()
  const [entry] = (await saved).postDataJSON().ai_include_keywords
  expect(entry.lesson.answers).toHaveLength(count)
  const turned = entry.lesson.turned.length
  expect(turned).toBeGreaterThan(0)
  await page.reload()
  const card = page.getByRole('article', { name: word, exact: true })
  await card.getByRole('link', { name: /^สอนด้วยตัวอย่าง/ }).press('Enter')
  await expect(lesson.getByRole('button', { name: `คำตอบที่ให้ไว้ ${count} ข้อ` })).toBeVisible()
  await expect(lesson.getByRole('button', { name: 'เลิกใช้ผลจากตัวอย่าง' })).toBeVisible()
})

test('a project that is not in the report says why, and a word of its name can be tried at once', async ({
  page,
  browser,
}) => {
  const others = await browser.newPage()
  await signIn(others, MANAGER)
  const [id] = await projectIds(others)
  await others.close()
  await signIn(page, EDITED.email)
  await page.goto('/watch?tab=why')
  await page.getByRole('textbox', { name: 'เลขที่โครงการ' }).fill(`เลขที่โครงการ ${id}`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`project=${id}$`))
  const answer = page.getByRole('article', { name: `คำตอบของโครงการ ${id}` })
  await expect(answer.getByText(/^ไม่อยู่ในรายงาน ติด \d เงื่อนไข$/)).toBeVisible()
  const offer = answer.getByRole('group', { name: 'เพิ่มคำจากชื่อโครงการนี้' }).getByRole('button').first()
  const word = await offer.innerText()
  await offer.click()
  await expect(page.getByRole('textbox', { name: /^คำใหม่/ })).toHaveValue(word)
  await expect(page.getByText(/^30 วันที่ผ่านมา จะเพิ่ม$/)).toBeVisible()
  // Nothing was stored by looking.
  await page.goBack()
  await expect(answer).toBeVisible()
})
