import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'

const ARRIVES = { timeout: 15_000 }
let answers: Record<string, () => Response | Promise<Response>>
let calls: string[]
const refuse = (body: object, status = 400) => Response.json(body, { status })
const lose = () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  calls = []
  answers = {}
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '')}`
    calls.push(call)
    return (answers[call] ?? (() => refuse({ code: 'not_found' }, 404)))()
  })
})
afterEach(() => vi.unstubAllGlobals())

const open = (address: string) =>
  render(<App router={createAppRouter(createMemoryHistory({ initialEntries: [address] }))} />)
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const heading = (name: string) => screen.findByRole('heading', { name }, ARRIVES)

describe('an e-mail change', () => {
  const LINK = { side: 'new', old_email: 'a••@a.example', new_email: 'b••@b.example', is_confirmed: false }
  const posts = () => calls.filter((call) => call.startsWith('POST'))
  beforeEach(() => {
    answers['GET email-changes/t/'] = () => Response.json(LINK)
  })

  test.each([
    ['is complete', true, 'เปลี่ยนอีเมลแล้ว'],
    ['waits for the other side', false, 'ยืนยันแล้ว'],
  ])('is confirmed by a button and %s', async (_, is_done, title) => {
    answers['POST email-changes/t/confirm/'] = () => Response.json({ is_done })
    open('/email-change/t')
    await heading('ยืนยันอีเมลใหม่')
    expect(posts()).toEqual([])
    await press('ยืนยันว่าเป็นอีเมลของฉัน')
    await heading(title)
    expect(posts()).toEqual(['POST email-changes/t/confirm/'])
  })

  test('can be stopped, also after a lost connection', async () => {
    answers['POST email-changes/t/stop/'] = lose
    open('/email-change/t')
    await heading('ยืนยันอีเมลใหม่')
    await press('หยุดการเปลี่ยน')
    expect(await screen.findByRole('alert', {}, ARRIVES)).toHaveTextContent('เชื่อมต่อระบบไม่ได้')
    answers['POST email-changes/t/stop/'] = () => new Response(null, { status: 204 })
    await press('หยุดการเปลี่ยน')
    await heading('หยุดการเปลี่ยนแล้ว')
  })

  test('shows a link that was confirmed, refused, or used meanwhile', async () => {
    answers['GET email-changes/t/'] = () => Response.json({ ...LINK, is_confirmed: true })
    const { unmount } = open('/email-change/t')
    await heading('ยืนยันแล้ว')
    unmount()
    queryClient.clear()
    answers['GET email-changes/t/'] = () => Response.json(LINK)
    answers['POST email-changes/t/confirm/'] = () => refuse({ code: 'reset_link_used', error: 'ลิงก์ใช้ไปแล้ว' })
    open('/email-change/t')
    await heading('ยืนยันอีเมลใหม่')
    await press('ยืนยันว่าเป็นอีเมลของฉัน')
    await heading('ลิงก์นี้ใช้ไม่ได้แล้ว')
  })
})
