import { createMemoryHistory } from '@tanstack/react-router'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { AnswerLesson, Lesson } from '#contract/matching/lesson.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { followSession } from '#src/app/session-watch.ts'
import { keywordForTests } from '#src/matching/api/organisation-for-tests.ts'
import { startWatchApi } from '#src/matching/api/watch-api-for-tests.ts'
import { clearToasts } from '#src/ui/overlay/toast.ts'

const NAMES = ['ซื้อระบบ CCTV', 'วางสายไฟเบอร์ออฟติก', 'ติดตั้งโทรทัศน์วงจรปิด']
const titleAt = (place: number) =>
  place < NAMES.length ? { project_id: String(place), name: NAMES[place]!, terms: ['cctv'] } : null
const LESSON = 'GET organisations/me/keywords/5/lesson'
const ANSWER = 'POST organisations/me/keywords/5/lesson'
const TAKE = 'PUT organisations/me/keywords/5/lesson/terms'

let api: ReturnType<typeof startWatchApi>
let stop: () => void = () => undefined
let said: Map<string, boolean>
let inForce: number
let marks: Lesson['marks']

/** Fake server: titles in order, and one term removed after the first no. */
function lesson(): Lesson {
  const answers = [...said].map(([id, is_wanted]) => ({ project_id: id, name: NAMES[Number(id)]!, is_wanted }))
  const off = answers.some(({ is_wanted }) => !is_wanted)
  const place = answers.length
  return {
    keyword_id: 5,
    word: 'กล้องวงจรปิด',
    answers: answers.toReversed(),
    next: titleAt(place),
    after_yes: titleAt(place + 1),
    after_no: titleAt(place + 1),
    marks: marks.filter(({ project_id }) => !said.has(project_id)),
    now: { finds: 1200, right: 0.7 },
    taught: off ? { finds: 900, right: 0.9 } : { finds: 1200, right: 0.7 },
    turned: off && inForce === 0 ? [{ term: 'ไฟเบอร์ออฟติก', facet: 0, acts: false, titles: 300 }] : [],
    in_force: inForce,
    share: 0.01,
  }
}

beforeAll(async () => {
  await Promise.all([
    import('#src/matching/pages/watch/watch-page.tsx'),
    import('./lesson-dialog.tsx'),
    import('#src/routes/layout/app-layout.tsx'),
    import('#src/routes/load-account.ts'),
  ])
}, 60_000)
beforeEach(() => {
  api = startWatchApi()
  api.organisation = { ...api.organisation, ai_include: [keywordForTests(5, 'กล้องวงจรปิด')] }
  said = new Map()
  inForce = 0
  marks = []
  api.answers[LESSON] = () => Response.json(lesson())
  api.answers[ANSWER] = ({ answers }: AnswerLesson) => {
    for (const { project_id, is_wanted } of answers)
      is_wanted === null ? said.delete(project_id) : said.set(project_id, is_wanted)
    return Response.json(lesson())
  }
  api.answers[TAKE] = ({ in_force }: { in_force: boolean }) => {
    inForce = in_force ? 1 : 0
    return Response.json(lesson())
  }
})
afterEach(() => {
  stop()
  act(clearToasts)
  vi.unstubAllGlobals()
})

const ARRIVES = { timeout: 15_000 }
async function open() {
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/watch?lesson=5'] }))
  stop = followSession(router)
  render(<App router={router} />)
  const dialog = await screen.findByRole('dialog', { name: 'สอน “กล้องวงจรปิด” ด้วยตัวอย่าง' }, ARRIVES)
  return { router, dialog: within(dialog) }
}
const isAnswered = (...expected: readonly (readonly [string, boolean])[]) =>
  waitFor(() => expect([...said]).toEqual(expected))

test('asks by keys, by the places on a Thai board too, shows the next title at once, and takes the last answer back', async () => {
  const { dialog } = await open()
  const question = within(await dialog.findByRole('region', { name: 'คำถาม' }, ARRIVES))
  expect(question.getByText('CCTV', { selector: 'mark' })).toBeVisible()
  expect(question.getByText('ข้อ 1 จากราว 20')).toBeVisible()
  let answerNow: () => void = () => undefined
  const answer = api.answers[ANSWER]!
  api.answers[ANSWER] = async (body) => {
    await new Promise<void>((resolve) => {
      answerNow = resolve
    })
    return answer(body)
  }
  await userEvent.keyboard('[KeyJ]')
  // Before the response.
  expect(await question.findByText(NAMES[1]!)).toBeVisible()
  expect(question.getByText('ข้อ 2 จากราว 20')).toBeVisible()
  await waitFor(() => expect(api.calls(ANSWER)).toHaveLength(1))
  answerNow()
  api.answers[ANSWER] = answer
  await isAnswered(['0', true])
  await userEvent.keyboard('[ArrowLeft]')
  await isAnswered(['0', true], ['1', false])
  expect(await question.findByText(NAMES[2]!)).toBeVisible()
  await userEvent.keyboard('[KeyU]')
  await isAnswered(['0', true])
  expect(await question.findByText(NAMES[1]!)).toBeVisible()
})

test('says what follows, lets it act with a way back, and keeps the answers for another day', async () => {
  const { router, dialog } = await open()
  await userEvent.click(await dialog.findByRole('button', { name: 'ไม่เกี่ยว' }, ARRIVES))
  const result = within(dialog.getByRole('region', { name: 'ผลจากคำตอบ' }))
  expect(await result.findByText('เลิกใช้ ไฟเบอร์ออฟติก')).toBeVisible()
  expect(result.getByText('คาดว่าเกี่ยว 90%')).toBeVisible()
  expect(result.getByText('ตัวเลขประมาณจาก 1% ของชื่อทั้งปี')).toBeVisible()
  expect(api.calls(TAKE)).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'ใช้ผลนี้ (1 คำเปลี่ยน)' }))
  expect(await screen.findByText('ปรับคำของ กล้องวงจรปิด ตามตัวอย่างแล้ว')).toBeVisible()
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  await userEvent.click(screen.getByRole('button', { name: 'เลิกทำ' }))
  await waitFor(() => expect(api.calls(TAKE)).toEqual([{ in_force: true }, { in_force: false }]))
  await isAnswered(['0', false])
})

test('an answer can be turned later; all can be forgotten, and had again', async () => {
  said = new Map([
    ['0', true],
    ['1', false],
  ])
  const { dialog } = await open()
  await userEvent.click(await dialog.findByRole('button', { name: 'คำตอบที่ให้ไว้ 2 ข้อ' }, ARRIVES))
  await userEvent.click(dialog.getByRole('button', { name: `ไม่เกี่ยว กดเพื่อเปลี่ยน ${NAMES[1]}` }))
  await isAnswered(['0', true], ['1', true])
  await userEvent.click(dialog.getByRole('button', { name: 'ล้างคำตอบทั้งหมด' }))
  await isAnswered()
  await userEvent.click(await screen.findByRole('button', { name: 'เลิกทำ' }))
  await isAnswered(['0', true], ['1', true])
})

test('stars and hides become answers by one press, and can be taken back', async () => {
  marks = [
    { project_id: '1', name: NAMES[1]!, is_wanted: false },
    { project_id: '0', name: NAMES[0]!, is_wanted: true },
  ]
  const { dialog } = await open()
  expect(await dialog.findByText(/^คุณติดดาว 1 และซ่อน 1 โครงการ/, {}, ARRIVES)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'ใช้เป็นคำตอบ 2 ข้อ' }))
  await isAnswered(['0', true], ['1', false])
  expect(dialog.queryByText(/^คุณติดดาว/)).toBeNull()
  await userEvent.keyboard('[KeyU]')
  await isAnswered(['0', true])
})

test('what was refused is said with a way to try again, and the title comes back', async () => {
  const { dialog } = await open()
  const yes = await dialog.findByRole('button', { name: 'เกี่ยว' }, ARRIVES)
  const answer = api.answers[ANSWER]!
  api.answers[ANSWER] = () => Response.json({ non_field_errors: ['รอสักครู่'] }, { status: 429 })
  await userEvent.click(yes)
  const told = await screen.findByText(/^บันทึกคำตอบไม่สำเร็จ/)
  expect(await dialog.findByText('CCTV', { selector: 'mark' })).toBeVisible()
  api.answers[ANSWER] = answer
  await userEvent.click(within(told.parentElement!).getByRole('button', { name: 'ลองใหม่' }))
  await isAnswered(['0', true])
})

test('nothing left to ask is said', async () => {
  said = new Map(NAMES.map((_, place) => [String(place), place === 2]))
  const { dialog } = await open()
  expect(await dialog.findByText('ไม่มีชื่อไหนที่ตอบแล้วจะเรียนรู้เพิ่ม', {}, ARRIVES)).toBeVisible()
  expect(dialog.getByRole('button', { name: 'เกี่ยว' })).toHaveAttribute('aria-disabled', 'true')
})

test('a word that is gone is said', async () => {
  api.answers[LESSON] = () => Response.json({ code: 'not_found' }, { status: 404 })
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/watch?lesson=5'] }))
  stop = followSession(router)
  render(<App router={router} />)
  expect(await screen.findByText('ไม่พบคำนี้ในเฝ้าติดตาม', {}, ARRIVES)).toBeVisible()
})
