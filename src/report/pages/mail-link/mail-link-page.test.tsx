import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { MAIL_LINK_ERRORS, MAIL_LINK_KINDS, type MailLink } from '#contract/report/report-mail.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { MailLinkPage } from './mail-link-page.tsx'
import { MAIL_LINK_PROBLEM_TEXTS, MAIL_LINK_TEXTS } from './mail-link-texts.ts'

const LINK: MailLink = {
  kind: 'hide',
  account: 'sa••••@tharamek.example',
  project: { project_id: '69119000001', name: 'ซื้อกล้องวงจรปิด', dept_sub_name: 'กองช่าง' },
  filter: null,
  done: false,
}

function open(token = 'abc.def') {
  location.hash = token
  const network = startFakeNetwork()
  render(
    <QueryClientProvider client={queryClient}>
      <MailLinkPage />
    </QueryClientProvider>,
  )
  return network
}
const ARRIVES = { timeout: 15_000 }
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const heading = (name: string) => screen.findByRole('heading', { level: 1, name }, ARRIVES)
async function arrived(network: ReturnType<typeof startFakeNetwork>, path: string, nth = 1) {
  await expect.poll(() => network.to(path).length, ARRIVES).toBe(nth)
  return network.to(path)[nth - 1]!
}

afterEach(() => {
  stopFakeNetwork()
  location.hash = ''
})

test('previews the action of a link, runs it on a click and undoes it on another', async () => {
  const network = open()
  const lookRequest = await arrived(network, 'mail-links/look')
  expect([lookRequest.method, lookRequest.body]).toEqual(['POST', { token: 'abc.def' }])
  lookRequest.answer(LINK)
  await heading('ซ่อนโครงการนี้?')
  expect(screen.getByText('ซื้อกล้องวงจรปิด')).toBeInTheDocument()
  expect(screen.getByText('บัญชี sa••••@tharamek.example')).toBeInTheDocument()
  expect(network.to('mail-links')).toEqual([])

  await press('ซ่อนโครงการ')
  const use = await arrived(network, 'mail-links')
  use.answer({ ...LINK, done: true, undo: 'undo.token' })
  expect(await heading('ซ่อนแล้ว')).toHaveFocus()
  await press('เลิกทำ')
  const undo = await arrived(network, 'mail-links', 2)
  expect(undo.body).toEqual({ token: 'undo.token' })
  undo.answer({ ...LINK, kind: 'unhide', done: true, undo: null })
  expect(await heading('เลิกซ่อนแล้ว')).toHaveFocus()
  expect(screen.getByRole('link', { name: 'ดูโครงการนี้ในตามงาน' })).toHaveAttribute('href', '/report/69119000001')
  expect(screen.queryByRole('button')).toBeNull()
})

test('shows no button when the action is already done', async () => {
  const network = open()
  ;(await arrived(network, 'mail-links/look')).answer({ ...LINK, done: true })
  await heading('ซ่อนแล้ว')
  expect(screen.queryByRole('button')).toBeNull()
})

test.each(MAIL_LINK_ERRORS)('shows a specific message for a link that is %s', async (link) => {
  const network = open()
  ;(await arrived(network, 'mail-links/look')).answer({ non_field_errors: ['x'], link }, 400)
  await heading(MAIL_LINK_PROBLEM_TEXTS[link].title)
  expect(screen.getByText(MAIL_LINK_PROBLEM_TEXTS[link].text)).toBeInTheDocument()
  expect(screen.queryByRole('button')).toBeNull()
})

test('reports a failed preview or action and retries it', async () => {
  const network = open()
  ;(await arrived(network, 'mail-links/look')).lose()
  await screen.findByText(/เชื่อมต่อระบบไม่ได้/, {}, ARRIVES)
  await press('ลองใหม่')
  ;(await arrived(network, 'mail-links/look', 2)).answer(LINK)
  await heading('ซ่อนโครงการนี้?')
  await press('ซ่อนโครงการ')
  ;(await arrived(network, 'mail-links')).answer({ code: 'internal', request_id: 'r1' }, 500)
  await screen.findByText(/รหัสอ้างอิง r1/, {}, ARRIVES)
  await press('ลองใหม่')
  ;(await arrived(network, 'mail-links', 2)).answer({ ...LINK, done: true, undo: null })
  await heading('ซ่อนแล้ว')
})

test('explains what replaces the only mailed filter', () => {
  const link: MailLink = { ...LINK, kind: 'filter_off', project: null, filter: { name: 'กล้อง', is_last: true } }
  expect(MAIL_LINK_TEXTS.filter_off.explanation(link)).toMatch(/รายงานทั้งหมด/)
  expect(Object.keys(MAIL_LINK_TEXTS)).toEqual(expect.arrayContaining([...MAIL_LINK_KINDS]))
})
