import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startHandlingSessionEnd } from '#src/app/start-handling-session-end.ts'
import { buildTestKeyword } from '#src/matching/api/organisation-for-tests.ts'
import { startFakeWatchListApi, type TestKeywordsRequestBody } from '#src/matching/api/watch-api-for-tests.ts'
import { chooseOption } from '../../../../test/choose-option.ts'

let api: ReturnType<typeof startFakeWatchListApi>
let stop: () => void = () => undefined

// Preload the page code outside the test timeouts, because loading takes long on a busy machine.
beforeAll(async () => {
  await Promise.all([import('./watch-page.tsx'), import('#src/routes/layout/app-layout.tsx')])
}, 60_000)
beforeEach(() => {
  api = startFakeWatchListApi()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

const ARRIVES = { timeout: 15_000 }
async function open(address = '/watch') {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  stop = startHandlingSessionEnd(router)
  render(<App router={router} />)
  await screen.findByRole('heading', { level: 1, name: 'คำติดตาม' }, ARRIVES)
  return router
}
const list = (name: string) => screen.findByRole('region', { name }, ARRIVES)
const include = () => list('คำที่ต้องมีในชื่อโครงการ')
const chips = async () =>
  within(await include())
    .getAllByRole('button')
    .filter((button) => button.dataset.chip !== undefined)
    .map((button) => button.querySelector('.truncate')?.textContent)
const box = () => screen.findByRole('textbox', { name: /^คำใหม่/ }, ARRIVES)
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }, ARRIVES))

describe('a new word', () => {
  test('is sent with the offered exclusions in one request', async () => {
    await open()
    await userEvent.type(await box(), 'ยา')
    await userEvent.click(await screen.findByRole('checkbox', { name: /ไม่รวม ยาง/ }, ARRIVES))
    await press('เพิ่ม “ยา” และคำไม่รวม 1 คำ')
    expect(await within(await include()).findByText('เพิ่ม “ยา” และคำไม่รวม 1 คำ แล้ว')).toBeVisible()
    expect(api.calls('POST organisations/me')).toEqual([
      { include_keywords: [{ word: 'ยา' }], exclude_keywords: [{ word: 'ยาง' }] },
    ])
    expect(await chips()).toContain('ยา')
    expect(await box()).toHaveValue('')
  })

  test('for similar terms is shown at once, but its terms are requested only when the server has it', async () => {
    const saved = Promise.withResolvers<Response>()
    api.answers['POST organisations/me'] = () => saved.promise
    await open('/watch?list=ai_include')
    await userEvent.type(await box(), 'กล้อง')
    await press('เพิ่ม “กล้อง”')
    const card = await list('คำใกล้เคียง (AI)')
    await waitFor(() => expect(card).toHaveTextContent('ใช้ 1/ จาก 10'))
    expect(api.calls('GET organisations/me/keyword-terms')).toHaveLength(0)
    saved.resolve(api.change({ ai_include: [buildTestKeyword(100, 'กล้อง')] }))
    await waitFor(() => expect(api.calls('GET organisations/me/keyword-terms')).not.toHaveLength(0))
  })

  test('is announced as pending review before saving when it is too broad', async () => {
    api.answers['POST organisations/me/keywords/check'] = (body: TestKeywordsRequestBody) =>
      Response.json({
        lines: [],
        waiting: body.include_keywords!.map(({ word }, index) => {
          return { list: 'include', index, word, code: 'too_broad', position: 0, message: 'อยู่ในชื่อโครงการ 9% รอตรวจ' }
        }),
      })
    await open()
    await userEvent.type(await box(), 'ยา')
    expect(await screen.findByText('อยู่ในชื่อโครงการ 9% รอตรวจ', undefined, ARRIVES)).toBeVisible()
    expect(api.calls('POST organisations/me/keywords/check')).toEqual([{ include_keywords: [{ word: 'ยา' }] }])
  })

  test('is not sent when malformed; the position of the error is shown', async () => {
    await open()
    await userEvent.type(await box(), '(กล้อง||CCTV{Enter}')
    expect(await box()).toBeInvalid()
    expect(screen.getByText(/^(?=.*วงเล็บตรงนี้ไม่ครบคู่).*ตัวที่ 1/)).toBeVisible()
    expect(api.calls('POST organisations/me')).toEqual([])
  })

  test('stays in the box when refused, with the reason and the blacklisted words', async () => {
    api.answers['POST organisations/me'] = () =>
      Response.json(
        {
          errors: { include_keywords: 'เพิ่มไม่ได้ 1 คำ', blacklisted_words: ['โครงการ'] },
          non_field_errors: ['เพิ่มไม่ได้ 1 คำ'],
          lines: [
            { list: 'include', index: 0, word: 'โครงการ', code: 'blacklisted', position: 0, message: 'อยู่ในทุกชื่อ' },
          ],
        },
        { status: 400 },
      )
    await open()
    await userEvent.type(await box(), 'โครงการ{Enter}')
    const card = await include()
    expect(await within(card).findByText('เพิ่ม “โครงการ” ไม่สำเร็จ: เพิ่มไม่ได้ 1 คำ')).toBeVisible()
    expect(within(card).getByText('คำที่ใช้ไม่ได้: “โครงการ”')).toBeVisible()
    expect(await box()).toHaveValue('โครงการ')
    expect(await chips()).toEqual(['กล้อง', 'CCTV', 'โดรน'])
  })

  test('waits beside the box when refused while the next one is typed', async () => {
    let refuse: () => void = () => undefined
    api.answers['POST organisations/me'] = () =>
      new Promise((resolve) => {
        refuse = () => resolve(Response.json({ code: 'internal' }, { status: 500 }))
      })
    await open()
    await userEvent.type(await box(), 'โซลาร์{Enter}ไฟถนน')
    await waitFor(async () => expect(await chips()).toContain('โซลาร์'))
    await waitFor(() => expect(api.calls('POST organisations/me')).toHaveLength(1))
    refuse()
    expect(await screen.findByText(/“โซลาร์” เกิดข้อผิดพลาด/)).toBeVisible()
    expect(await box()).toHaveValue('ไฟถนน')
    expect(await chips()).not.toContain('โซลาร์')
    await press('แก้คำนี้')
    expect(await box()).toHaveValue('โซลาร์')
  })

  test('is blocked in a full list: the limit is shown and the box disabled', async () => {
    api.organisation = { ...api.organisation, exclude: [4, 5, 6].map((id) => buildTestKeyword(id, `คำ${id}`)) }
    await open('/watch?list=exclude')
    expect(await box()).toBeDisabled()
    expect(screen.getAllByText(/ครบ 3 คำตามแพ็กเกจแล้ว ลบบางคำ หรือติดต่อทีมงาน/).length).toBeGreaterThan(0)
  })
})

describe('many words at once', () => {
  test('get an error per line; the valid ones are saved and the others stay', async () => {
    api.answers['POST organisations/me/keywords/check'] = (body: TestKeywordsRequestBody) =>
      Response.json({
        lines: body.include_keywords!.flatMap(({ word }, index) =>
          word === 'โครงการ'
            ? [{ list: 'include', index, word, code: 'blacklisted', position: 0, message: 'อยู่ในทุกชื่อ' }]
            : [],
        ),
        waiting: [],
      })
    await open()
    await press('วางหลายคำ')
    const field = await screen.findByRole('textbox', { name: /^วางหลายคำ/ }, ARRIVES)
    fireEvent.change(field, { target: { value: 'ไฟถนน\tCCTV\n(ยา\nโครงการ\nโซลาร์' } })
    const lines = screen.getByRole('list', { name: 'ผลตรวจทีละบรรทัด' })
    await waitFor(() =>
      expect(
        within(lines)
          .getAllByRole('listitem')
          .map((line) => line.textContent),
      ).toEqual([
        'ไฟถนนเพิ่มได้',
        'CCTVมีคำนี้ในรายการแล้ว',
        expect.stringContaining('วงเล็บ'),
        'โครงการอยู่ในทุกชื่อ',
        'โซลาร์เพิ่มได้',
      ]),
    )
    await press('เพิ่ม 2 คำ (เว้น 3)')
    await waitFor(() => expect(field).toHaveValue('CCTV\n(ยา\nโครงการ'))
    expect(api.calls('POST organisations/me')).toEqual([{ include_keywords: [{ word: 'ไฟถนน' }, { word: 'โซลาร์' }] }])
    expect(within(await include()).getByText('เพิ่ม 2 คำ แล้ว')).toBeVisible()
  })
})

describe('deleting', () => {
  test('removes the word at once by keyboard, focuses the next and can be undone', async () => {
    await open()
    const first = within(await include()).getByRole('button', { name: /^กล้อง/ })
    act(() => first.focus())
    await userEvent.keyboard('{Delete}')
    await waitFor(async () => expect(await chips()).toEqual(['CCTV', 'โดรน']))
    expect(within(await include()).getByRole('button', { name: /^CCTV/ })).toHaveFocus()
    await press('เลิกทำ')
    await waitFor(async () => expect(await chips()).toEqual(['กล้อง', 'CCTV', 'โดรน']))
    expect(api.calls('POST organisations/me/keywords/restore')).toEqual([{ ids: [1] }])
  })

  test('removes a range selected with Shift in one request', async () => {
    await open()
    const card = await include()
    await userEvent.click(within(card).getByRole('button', { name: 'จัดการ คำที่ต้องมีในชื่อโครงการ' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'เลือกหลายคำ' }))
    await userEvent.click(within(card).getByRole('button', { name: /^กล้อง/ }))
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}')
    expect(within(card).getByRole('button', { name: /^CCTV/ })).toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(await within(card).findByRole('button', { name: 'ลบ' }, ARRIVES))
    await waitFor(async () => expect(await chips()).toEqual(['โดรน']))
    expect(api.calls('DELETE organisations/me')).toEqual([{ include_keywords: [{ id: 1 }, { id: 2 }] }])
  })

  test('restores the word on failure and offers a retry', async () => {
    const works = api.answers['DELETE organisations/me']!
    api.answers['DELETE organisations/me'] = () => Response.json({ code: 'internal' }, { status: 500 })
    await open()
    await userEvent.click(within(await include()).getByRole('button', { name: 'ลบ CCTV' }))
    expect((await screen.findAllByText(/ลบ “CCTV” ไม่สำเร็จ/)).length).toBe(2)
    expect(await chips()).toEqual(['กล้อง', 'CCTV', 'โดรน'])
    api.answers['DELETE organisations/me'] = works
    await press('ลองอีกครั้ง')
    await waitFor(async () => expect(await chips()).toEqual(['กล้อง', 'โดรน']))
  })
})

test('moves several words into a new group in one request', async () => {
  api.answers['PATCH organisations/me'] = () =>
    api.change({
      include: api.organisation.include.map((word) => ({ ...word, group_id: 8 })),
      keyword_groups: [{ id: 8, name: 'งานภาพ' }],
    })
  await open()
  const card = await include()
  // Ctrl-click starts selection mode; afterwards every click selects.
  fireEvent.click(within(card).getByRole('button', { name: /^กล้อง/ }), { ctrlKey: true })
  await userEvent.click(within(card).getByRole('button', { name: /^CCTV/ }))
  await userEvent.click(await within(card).findByRole('button', { name: 'ย้ายกลุ่ม' }, ARRIVES))
  const dialog = await screen.findByRole('dialog', { name: 'ย้ายกลุ่ม' })
  await chooseOption('กลุ่ม', '+ กลุ่มใหม่…')
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'ชื่อกลุ่มใหม่' }), 'งานภาพ{Enter}')
  await userEvent.click(within(dialog).getByRole('button', { name: 'ย้าย' }))
  await waitFor(() => expect(api.calls('PATCH organisations/me')).toHaveLength(1))
  expect(api.calls('PATCH organisations/me')).toEqual([
    {
      include_keywords: [
        { id: 1, group: 'งานภาพ' },
        { id: 2, group: 'งานภาพ' },
      ],
    },
  ])
  expect(await screen.findByRole('button', { name: 'งานภาพ' })).toBeVisible()
})

describe('an existing word', () => {
  const openEditor = async () => {
    await open()
    await userEvent.click(await within(await include()).findByRole('button', { name: /^CCTV/ }, ARRIVES))
    await press('แก้คำ')
    return screen.findByRole('textbox', { name: 'แก้คำ' }, ARRIVES)
  }

  test('is changed once by Enter, not while it is wrong or empty', async () => {
    api.answers['PATCH organisations/me'] = () =>
      api.change({
        include: api.organisation.include.map((word) => (word.id === 2 ? { ...word, word: 'วงจรปิด' } : word)),
      })
    const field = await openEditor()
    expect(field).toHaveFocus()
    await userEvent.clear(field)
    await userEvent.keyboard('{Enter}')
    expect(field).toBeInvalid()
    expect(field).toHaveAccessibleDescription('พิมพ์คำก่อน หรือกดยกเลิก')
    await userEvent.type(field, 'กล้อง{Enter}')
    expect(field).toHaveAccessibleDescription('มีคำนี้ในรายการแล้ว')
    expect(api.calls('PATCH organisations/me')).toEqual([])
    await userEvent.clear(field)
    await userEvent.type(field, ' วงจรปิด {Enter}{Enter}')
    expect(await within(await include()).findByText('แก้ “CCTV” เป็น “วงจรปิด” แล้ว')).toBeVisible()
    expect(api.calls('PATCH organisations/me')).toEqual([{ include_keywords: [{ id: 2, word: 'วงจรปิด' }] }])
    expect(screen.queryByRole('textbox', { name: 'แก้คำ' })).toBeNull()
  })

  test('stays in the field when the server refuses the change', async () => {
    api.answers['PATCH organisations/me'] = () =>
      Response.json({ non_field_errors: ['ปิดปรับปรุงชั่วคราว'] }, { status: 503 })
    const field = await openEditor()
    await userEvent.clear(field)
    await userEvent.type(field, 'วงจรปิด{Enter}')
    await waitFor(() => expect(api.calls('PATCH organisations/me')).toHaveLength(1), ARRIVES)
    expect(field).toHaveValue('วงจรปิด')
  })
})

test('a group is renamed in place, not to the name of another', async () => {
  const { keyword_groups: groups } = api.organisation
  api.change({
    keyword_groups: [...groups, { id: 8, name: 'งานถนน' }],
    exclude: [buildTestKeyword(4, 'ซ่อม', { group_id: 8 })],
  })
  api.answers['PATCH organisations/me'] = () => api.change({ keyword_groups: [{ id: 7, name: 'กล้องทั้งหมด' }] })
  await open()
  await press('จัดการกลุ่ม')
  await press('เปลี่ยนชื่อกลุ่ม ความปลอดภัย')
  const field = await screen.findByRole('textbox', { name: 'ชื่อใหม่ของกลุ่ม ความปลอดภัย' }, ARRIVES)
  expect(field).toHaveFocus()
  await userEvent.clear(field)
  await userEvent.type(field, 'งานถนน{Enter}')
  expect(field).toBeInvalid()
  expect(screen.getByText('มีกลุ่ม “งานถนน” อยู่แล้ว เลือกคำแล้วย้ายไปกลุ่มนั้นแทน')).toBeVisible()
  expect(screen.getByRole('button', { name: 'บันทึก' })).toBeDisabled()
  await userEvent.clear(field)
  await userEvent.type(field, ' กล้องทั้งหมด {Enter}')
  await waitFor(() => expect(screen.queryByRole('textbox', { name: /^ชื่อใหม่ของกลุ่ม/ })).toBeNull(), ARRIVES)
  expect(api.calls('PATCH organisations/me')).toEqual([{ keyword_groups: [{ id: 7, name: 'กล้องทั้งหมด' }] }])
})
