import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'

const INVITATION = {
  organisation: 'บริษัท ร่วมใจ จำกัด',
  email: 'somsri@ruamjai.example',
  role: 'member_user',
  invited_by: 'ปราณี สุข',
}
const PASSWORD = 'Mekhong!Klong7'

let requests: { call: string; body: unknown }[]
let answers: Record<string, () => Response>

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  requests = []
  answers = { 'GET invitations/token/': () => Response.json(INVITATION) }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '')}`
    const text = await sent.clone().text()
    requests.push({ call, body: text === '' ? undefined : JSON.parse(text) })
    return answers[call]?.() ?? Response.json({ code: 'not_found' }, { status: 404 })
  })
})
afterEach(() => vi.unstubAllGlobals())

const ARRIVES = { timeout: 15_000 }
const open = () =>
  render(<App router={createAppRouter(createMemoryHistory({ initialEntries: ['/invitation/token'] }))} />)
const fill = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }))
const join = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'เข้าร่วมทีม' })))
const refuse = (code: string) => () => Response.json({ code, error: code, non_field_errors: [code] }, { status: 400 })

test('shows inviter and organisation, and sends nothing while fields are missing', async () => {
  open()
  expect(await screen.findByRole('heading', { name: 'เข้าร่วม บริษัท ร่วมใจ จำกัด' }, ARRIVES)).toBeInTheDocument()
  expect(screen.getByText(/ปราณี สุข เชิญคุณ/)).toHaveTextContent('somsri@ruamjai.example')
  await fill('ชื่อ', 'สมศรี')
  await join()
  expect(await screen.findByText('กรอกนามสกุล')).toBeInTheDocument()
  expect(screen.getByText('ต้องยอมรับข้อกำหนดการใช้งานก่อนเข้าร่วม')).toBeInTheDocument()
  expect(requests.map(({ call }) => call)).toEqual(['GET invitations/token/'])
})

test('reports a link that expired while the form was filled in', async () => {
  answers['POST invitations/token/accept/'] = refuse('invitation_over')
  open()
  await screen.findByRole('heading', { name: /^เข้าร่วม ./ }, ARRIVES)
  await fill('ชื่อ', 'สมศรี')
  await fill('นามสกุล', 'ใจดี')
  await fill('ตั้งรหัสผ่าน', PASSWORD)
  await fill('ตั้งรหัสผ่านอีกครั้ง', PASSWORD)
  await act(async () => fireEvent.click(screen.getByRole('checkbox')))
  await join()
  expect(await screen.findByRole('heading', { name: 'คำเชิญนี้ใช้ไม่ได้แล้ว' }, ARRIVES)).toBeInTheDocument()
  expect(requests.at(-1)).toMatchObject({
    call: 'POST invitations/token/accept/',
    body: { first_name: 'สมศรี', last_name: 'ใจดี', new_password: PASSWORD, terms_accepted: true },
  })
})

test.each([
  ['invitation_unknown', 'ลิงก์นี้ใช้ไม่ได้'],
  ['invitation_used', 'คำเชิญนี้ใช้ไปแล้ว'],
  ['invitation_email_taken', 'อีเมลนี้มีบัญชีอยู่แล้ว'],
])('%s has its own screen with a link to the login', async (code, title) => {
  answers['GET invitations/token/'] = refuse(code)
  open()
  expect(await screen.findByRole('heading', { name: title }, ARRIVES)).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'เข้าสู่ระบบ' })).toBeInTheDocument()
})

test('reports a server failure and offers a retry', async () => {
  answers['GET invitations/token/'] = () => Response.json({ code: 'internal', request_id: 'r1' }, { status: 500 })
  open()
  expect(await screen.findByText('ตรวจสอบคำเชิญไม่สำเร็จ', {}, ARRIVES)).toBeInTheDocument()
  answers['GET invitations/token/'] = () => Response.json(INVITATION)
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /ลอง/ })))
  expect(await screen.findByRole('heading', { name: /^เข้าร่วม ./ }, ARRIVES)).toBeInTheDocument()
})
