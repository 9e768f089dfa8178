import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#src/api/http/query-client.ts'
import { getCurrentSession } from '#src/lib/session-store.ts'
import { DemoAccountButtons, readDemoLogin } from './login-page.tsx'

const SAMPLE = {
  password: 'Sample#1234',
  accounts: [
    { email: 'sales@a.example', organisation: 'บริษัท ก จำกัด', role: 'member_user', shows: 'กล้องและเครือข่าย' },
    { email: 'boss@a.example', organisation: 'บริษัท ก จำกัด', role: 'super_user', shows: 'กล้องและเครือข่าย' },
  ],
}
const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
const ACCESS = `${encode({})}.${encode({ sub: '1', org: '1', iat: 1000, exp: 2800 })}.s`

let requestBodies: unknown[]
let answer: () => Response
beforeEach(() => {
  localStorage.clear()
  requestBodies = []
  answer = () => Response.json({ access: ACCESS, refresh: 'r1' })
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    requestBodies.push(await new Request(input, init).json())
    return answer()
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  document.querySelector('meta[name="sample-login"]')?.remove()
})

const open = (onDone: () => void) =>
  render(
    <QueryClientProvider client={queryClient}>
      <DemoAccountButtons {...SAMPLE} onDone={onDone} />
    </QueryClientProvider>,
  )

function writeIntoPage(content: string) {
  const meta = document.createElement('meta')
  meta.name = 'sample-login'
  meta.content = content
  document.head.append(meta)
}

test('reads the accounts that the server wrote into the page, or none', () => {
  expect(readDemoLogin()).toBeUndefined()
  writeIntoPage(JSON.stringify(SAMPLE))
  expect(readDemoLogin()).toEqual(SAMPLE)
})

test.each(['', '{', '{"password":"x"}'])('treats an invalid offer as none: %s', (content) => {
  writeIntoPage(content)
  expect(readDemoLogin()).toBeUndefined()
})

test('logs in with one click on an account', async () => {
  const onDone = vi.fn()
  open(onDone)
  fireEvent.click(screen.getByRole('button', { name: /boss@a\.example/ }))
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(requestBodies).toEqual([{ email: 'boss@a.example', password: SAMPLE.password }])
  expect(getCurrentSession()).toMatchObject({ isDemo: false })
})

test('shows a refusal, and allows another account', async () => {
  answer = () => Response.json({ non_field_errors: ['อีเมลหรือรหัสผ่านไม่ถูกต้อง'] }, { status: 400 })
  const onDone = vi.fn()
  open(onDone)
  fireEvent.click(screen.getByRole('button', { name: /sales@a\.example/ }))
  expect(await screen.findByRole('alert')).toHaveTextContent('อีเมลหรือรหัสผ่านไม่ถูกต้อง')
  answer = () => Response.json({ access: ACCESS, refresh: 'r1' })
  fireEvent.click(screen.getByRole('button', { name: /boss@a\.example/ }))
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
})
